extension StoreProtocol {
  /// A store of a part of this store's state, with the same actions.
  ///
  /// - An optional result is passed on to observers as it is, nil included.
  /// - Parameter project: Reads the part from the state. Called on the tree's queue.
  @inlinable @inline(__always)
  public func scope<Part: Sendable>(to project: @escaping @Sendable (_ state: State) -> Part) -> Store<Part, Action> {
    let store = asStore
    return store.scoped(presences: store.presences) { project($0) }
  }

  /// A store of an optional part of this store's state, with the same actions.
  ///
  /// - While the part is nil, observers are not called and ``state`` is nil. Actions are sent all the same.
  /// - Parameter project: Reads the part from the state; nil while there is none.
  @_disfavoredOverload
  @inlinable
  public func scope<Part: Sendable>(
    toOptional project: @escaping @Sendable (_ state: State) -> Part?
  ) -> Store<Part, Action> {
    let store = asStore
    return store.scoped(presences: store.presences(of: project), project)
  }

  /// A store of a part of this store's state, with its own type of actions.
  ///
  /// - Parameters:
  ///   - project: Reads the part from the state.
  ///   - embed: Wraps an action of the part in an action of this store, usually an enum case. Called once for each action,
  ///     on the thread that dispatches it; for actions of a child of the part, on the tree's queue after the child's own
  ///     interceptors.
  @inlinable @inline(__always)
  public func scope<Part: Sendable, PartAction: Sendable>(
    to project: @escaping @Sendable (_ state: State) -> Part,
    action embed: @escaping @Sendable (_ action: PartAction) -> Action
  ) -> Store<Part, PartAction> {
    let store = asStore
    return store.scoped(embed: embed, presences: store.presences) { project($0) }
  }

  /// A store of the part of this store's state at a key path, with its own type of actions.
  ///
  /// - Like the form with a function, but that its tasks belong to the place, which is the key path: all scopes to
  ///   it, and a ``Feature`` that is scoped to it, have the same tasks and keys.
  /// - Parameters:
  ///   - part: The key path of the part.
  ///   - embed: Wraps an action of the part in an action of this store, as in the form with a function.
  @inlinable @inline(__always)
  public func scope<Part: Sendable, PartAction: Sendable>(
    to part: any KeyPath<State, Part> & Sendable,
    action embed: @escaping @Sendable (_ action: PartAction) -> Action
  ) -> Store<Part, PartAction> {
    let store = asStore
    return store.scoped(embed: embed, presences: store.presences, place: .part(part)) { $0[keyPath: part] }
  }

  /// A store of an optional part of this store's state, with its own type of actions.
  ///
  /// - While the part is nil, observers are not called and ``state`` is nil. Actions are sent all the same. Tasks that
  ///   were started on this store are cancelled when the part becomes nil; if it is `Identifiable`, also when it is
  ///   replaced by one with another id.
  /// - Parameters:
  ///   - project: Reads the part from the state; nil while there is none.
  ///   - embed: Wraps an action of the part in an action of this store, usually an enum case. Called once for each action,
  ///     on the thread that dispatches it; for actions of a child of the part, on the tree's queue after the child's own
  ///     interceptors.
  @_disfavoredOverload
  @inlinable
  public func scope<Part: Sendable, PartAction: Sendable>(
    toOptional project: @escaping @Sendable (_ state: State) -> Part?,
    action embed: @escaping @Sendable (_ action: PartAction) -> Action
  ) -> Store<Part, PartAction> {
    let store = asStore
    return store.scoped(embed: embed, presences: store.presences(of: project), project)
  }

  /// A store of the optional part of this store's state at a key path, with its own type of actions.
  ///
  /// - Like the form with a function, but that its tasks belong to the place, which is the key path: all
  ///   scopes to it, and a ``Feature`` that is scoped to it, have the same tasks and keys.
  /// - Parameters:
  ///   - part: The key path of the part, which is nil while there is none.
  ///   - embed: Wraps an action of the part in an action of this store, as in the form with a function.
  @inlinable
  public func scope<Part: Sendable, PartAction: Sendable>(
    toOptional part: any KeyPath<State, Part?> & Sendable,
    action embed: @escaping @Sendable (_ action: PartAction) -> Action
  ) -> Store<Part, PartAction> {
    scope(toOptional: { $0[keyPath: part] }, at: .part(part), action: embed)
  }

  /// A store of an optional part of this store's state, with its own type of actions, and the tasks of a place.
  @inlinable
  package func scope<Part: Sendable, PartAction: Sendable>(
    toOptional project: @escaping @Sendable (_ state: State) -> Part?,
    at place: ScopePlace,
    action embed: @escaping @Sendable (_ action: PartAction) -> Action
  ) -> Store<Part, PartAction> {
    let store = asStore
    return store.scoped(embed: embed, presences: store.presences(of: project), place: place, project)
  }
}
