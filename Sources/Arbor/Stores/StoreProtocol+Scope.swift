extension StoreProtocol {
  /// A store of a part of this one's state, with the same actions.
  ///
  /// - `project` runs on the store's queue. A result that is optional is passed on as it is, nil included.
  @inlinable
  public func scope<Part: Sendable>(to project: @escaping @Sendable (_ state: State) -> Part) -> Store<Part, Action> {
    let store = asStore
    return store.scoped(watches: store.watches) { project($0) }
  }

  /// A store of a part that is there at times, with the same actions.
  ///
  /// - While the part is nil, observers are not called and ``state`` is nil.
  @_disfavoredOverload
  @inlinable
  public func scope<Part: Sendable>(
    toOptional project: @escaping @Sendable (_ state: State) -> Part?
  ) -> Store<Part, Action> {
    let store = asStore
    return store.scoped(watches: store.watches(of: project), project)
  }

  /// A store of a part of this one's state, with its own type of actions.
  ///
  /// - Parameter embed: Makes an action of this store of the part's, as a rule an enum's case. Called once an action:
  ///   where it is dispatched, on that thread; for actions of a child of the part on the store's queue, behind the
  ///   child's own interceptor.
  @inlinable
  public func scope<Part: Sendable, PartAction: Sendable>(
    to project: @escaping @Sendable (_ state: State) -> Part,
    action embed: @escaping @Sendable (_ action: PartAction) -> Action
  ) -> Store<Part, PartAction> {
    let store = asStore
    return store.scoped(embed: embed, watches: store.watches) { project($0) }
  }

  /// A store of a part that is there at times, with its own type of actions.
  ///
  /// - While the part is nil, observers are not called and ``state`` is nil. Actions are sent all the same.
  /// - Parameter embed: Makes an action of this store of the part's, as a rule an enum's case. Called once an action:
  ///   where it is dispatched, on that thread; for actions of a child of the part on the store's queue, behind the
  ///   child's own interceptor.
  @_disfavoredOverload
  @inlinable
  public func scope<Part: Sendable, PartAction: Sendable>(
    toOptional project: @escaping @Sendable (_ state: State) -> Part?,
    action embed: @escaping @Sendable (_ action: PartAction) -> Action
  ) -> Store<Part, PartAction> {
    let store = asStore
    return store.scoped(embed: embed, watches: store.watches(of: project), project)
  }
}
