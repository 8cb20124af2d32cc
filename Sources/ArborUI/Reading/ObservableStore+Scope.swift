public import Arbor

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension ObservableStore {
  /// Returns the store of a part of the state with its own actions, for a view of one feature.
  ///
  /// ```swift
  /// FilterPicker(store: store.scope(to: \.filter, action: AppAction.filter))
  /// ```
  ///
  /// - If `embed` captures nothing, the same call site returns the same object each time for the same part. The object
  ///   lives as long as a view keeps it or waits for it to change. Call this in `body`, where it tracks nothing.
  /// - If `embed` captures values, each call returns a different object, because the values can differ. To have one
  ///   object for each id of a list, use `rows(of:action:)`.
  /// - `embed` must not read a global or static variable that changes, because the object keeps the first function.
  /// - Parameters:
  ///   - part: The part of the state.
  ///   - embed: Wraps an action of the part in an action of this store. It must not capture a screen's store.
  /// - Returns: The store of the part.
  public func scope<Part: Sendable, PartAction: Sendable>(
    to part: any KeyPath<State, Part> & Sendable,
    action embed: @autoclosure @escaping () -> (@Sendable (_ action: PartAction) -> Action)
  ) -> ObservableStore<Part, PartAction> {
    shared(MadeName(part, ObservableStore<Part, PartAction>.self, FunctionIdentity(of: embed))) {
      ObservableStore<Part, PartAction>(store.scope(to: part, action: embed()), from: self[untracked: part])
    }
  }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension ObservableStore where Action == Mutation<State> {
  /// Returns the store of a part of the state that commits changes to the part, for a view of one feature.
  ///
  /// - The same call site returns the same object each time for the same part, as ``scope(to:action:)`` does. With a
  ///   `@Bindable` part, setting `$part.name` commits the name.
  /// - Parameter part: The part of the state.
  public func scope<Part: Sendable>(
    at part: any WritableKeyPath<State, Part> & Sendable
  ) -> ObservableStore<Part, Mutation<Part>> {
    shared(MadeName(part, ObservableStore<Part, Mutation<Part>>.self)) {
      ObservableStore<Part, Mutation<Part>>(store.scope(at: part), from: self[untracked: part])
    }
  }
}

#if canImport(Combine)
  extension StoreReader {
    /// Returns the reader of a part of the state with its own actions, for a view of one feature.
    ///
    /// - If `embed` captures nothing, the same call site returns the same object for the same part, as long as a view
    ///   keeps it, so call this in `body`. If `embed` captures values, each call returns a different object.
    /// - `embed` must not read a global or static variable that changes, because the object keeps the first function.
    /// - Parameters:
    ///   - part: The part of the state.
    ///   - embed: Wraps an action of the part in an action of this reader.
    /// - Returns: The reader of the part.
    public func scope<Part: Sendable, PartAction: Sendable>(
      to part: any KeyPath<State, Part> & Sendable,
      action embed: @autoclosure @escaping () -> (@Sendable (_ action: PartAction) -> Action)
    ) -> StoreReader<Part, PartAction> {
      shared.object(MadeName(part, StoreReader<Part, PartAction>.self, FunctionIdentity(of: embed))) {
        StoreReader<Part, PartAction>(store.scope(to: part, action: embed()), state: self[untracked: part])
      }
    }
  }
#endif
