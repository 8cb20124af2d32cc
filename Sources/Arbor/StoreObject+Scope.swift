extension StoreObject {
  /// A store of a part of the composed state, as ``Store/scope(to:)``.
  @inlinable
  public func scope<Part: Sendable>(to project: @escaping @Sendable (_ state: State) -> Part) -> Store<Part, Action> {
    base.scope(to: project)
  }

  /// A store of a part that is there at times, as ``Store/scope(toOptional:)``.
  @_disfavoredOverload
  @inlinable
  public func scope<Part: Sendable>(
    toOptional project: @escaping @Sendable (_ state: State) -> Part?
  ) -> Store<Part, Action> {
    base.scope(toOptional: project)
  }

  /// A store of a part that is there at times, as ``scope(toOptional:)``: the spelling of PureduxStore.
  ///
  /// - A trailing closure whose result is optional means this one, unless a store of optionals is asked for. To pass nil on,
  ///   say `to:`.
  @inlinable
  public func scope<Part: Sendable>(_ project: @escaping @Sendable (_ state: State) -> Part?) -> Store<Part, Action> {
    base.scope(toOptional: project)
  }

  /// A store of a part with its own type of actions, as ``Store/scope(to:action:)``.
  @inlinable
  public func scope<Part: Sendable, PartAction: Sendable>(
    to project: @escaping @Sendable (_ state: State) -> Part,
    action embed: @escaping @Sendable (_ action: PartAction) -> Action
  ) -> Store<Part, PartAction> {
    base.scope(to: project, action: embed)
  }

  /// A store of a part that is there at times, with its own type of actions, as ``Store/scope(toOptional:action:)``.
  @_disfavoredOverload
  @inlinable
  public func scope<Part: Sendable, PartAction: Sendable>(
    toOptional project: @escaping @Sendable (_ state: State) -> Part?,
    action embed: @escaping @Sendable (_ action: PartAction) -> Action
  ) -> Store<Part, PartAction> {
    base.scope(toOptional: project, action: embed)
  }
}
