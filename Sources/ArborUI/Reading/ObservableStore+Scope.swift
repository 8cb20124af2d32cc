public import Arbor

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension ObservableStore {
  /// The store of a part of the state, with actions of its own: for a view of one feature.
  ///
  /// ```swift
  /// FilterPicker(store: store.scope(to: \.filter, action: AppAction.filter))
  /// ```
  ///
  /// - Asked again for the same part and type of actions, it returns the same object as long as a view keeps it: ask in
  ///   `body`, where it tracks nothing.
  public func scope<Part: Sendable, PartAction: Sendable>(
    to part: any KeyPath<State, Part> & Sendable,
    action embed: @escaping @Sendable (_ action: PartAction) -> Action
  ) -> ObservableStore<Part, PartAction> {
    shared(ScopeName(part: part, action: ObjectIdentifier(PartAction.self))) {
      ObservableStore<Part, PartAction>(store.scope(to: part, action: embed), from: self[untracked: part])
    }
  }
}

#if canImport(Combine)
  extension StoreReader {
    /// The reader of a part of the state, with actions of its own: for a view of one feature.
    ///
    /// - Asked again for the same part and type of actions, it returns the same object as long as a view keeps it: ask
    ///   in `body`.
    public func scope<Part: Sendable, PartAction: Sendable>(
      to part: any KeyPath<State, Part> & Sendable,
      action embed: @escaping @Sendable (_ action: PartAction) -> Action
    ) -> StoreReader<Part, PartAction> {
      shared.object(ScopeName(part: part, action: ObjectIdentifier(PartAction.self))) {
        StoreReader<Part, PartAction>(store.scope(to: part, action: embed), state: self[untracked: part])
      }
    }
  }
#endif

/// The name of the store of a part.
private struct ScopeName: Hashable {
  let part: AnyKeyPath
  let action: ObjectIdentifier
}
