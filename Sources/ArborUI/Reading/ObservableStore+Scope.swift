public import Arbor

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension ObservableStore {
  /// The store of a part of the state, with actions of its own: for a view of one feature.
  ///
  /// ```swift
  /// FilterPicker(store: store.scope(to: \.filter, action: AppAction.filter))
  /// ```
  ///
  /// - Asked again at the same place of the code for the same part, it returns the same object, which lives as long as a
  ///   view keeps it or waits for it to change: ask in `body`, where it tracks nothing.
  /// - Parameters:
  ///   - part: The part of the state.
  ///   - embed: Makes an action of this store. The object keeps the function that it was made with, so what the
  ///     function captures must not vary, and be no store of a screen.
  ///   - fileID: The file of the call.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public func scope<Part: Sendable, PartAction: Sendable>(
    to part: any KeyPath<State, Part> & Sendable,
    action embed: @escaping @Sendable (_ action: PartAction) -> Action,
    fileID: StaticString = #fileID,
    line: Int = #line,
    column: Int = #column
  ) -> ObservableStore<Part, PartAction> {
    shared(ScopeName(part: part, action: ObjectIdentifier(PartAction.self), place: CallSite(fileID, line, column))) {
      ObservableStore<Part, PartAction>(store.scope(to: part, action: embed), from: self[untracked: part])
    }
  }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension ObservableStore where Action == Mutation<State> {
  /// The store of a part of the state, with commits of the part: for a view of one feature.
  ///
  /// - Like ``scope(to:action:fileID:line:column:)``. `$part.name` of a `@Bindable` part commits the name.
  /// - Parameter part: The part of the state.
  public func scope<Part: Sendable>(
    at part: any WritableKeyPath<State, Part> & Sendable
  ) -> ObservableStore<Part, Mutation<Part>> {
    shared(ScopeName(part: part, action: ObjectIdentifier(Mutation<Part>.self), place: nil)) {
      ObservableStore<Part, Mutation<Part>>(store.scope(at: part), from: self[untracked: part])
    }
  }
}

#if canImport(Combine)
  extension StoreReader {
    /// The reader of a part of the state, with actions of its own: for a view of one feature.
    ///
    /// - Asked again at the same place of the code for the same part, it returns the same object as long as a view keeps
    ///   it: ask in `body`.
    /// - Parameter embed: Makes an action of this reader. The object keeps the function that it was made with, so what
    ///   the function captures must not vary.
    public func scope<Part: Sendable, PartAction: Sendable>(
      to part: any KeyPath<State, Part> & Sendable,
      action embed: @escaping @Sendable (_ action: PartAction) -> Action,
      fileID: StaticString = #fileID,
      line: Int = #line,
      column: Int = #column
    ) -> StoreReader<Part, PartAction> {
      shared.object(
        ScopeName(part: part, action: ObjectIdentifier(PartAction.self), place: CallSite(fileID, line, column))
      ) {
        StoreReader<Part, PartAction>(store.scope(to: part, action: embed), state: self[untracked: part])
      }
    }
  }
#endif

/// The name of the store of a part.
private struct ScopeName: Hashable {
  let part: AnyKeyPath
  let action: ObjectIdentifier
  let place: CallSite?
}
