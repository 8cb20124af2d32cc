public import Arbor

extension StoreObject {
  /// A record of a table of the composed state, as ``Arbor/Store/derived(entity:in:)``; like ``Arbor/StoreObject/derived(_:)`` it needs
  /// a state to begin with.
  @inlinable
  public func derived<Element>(
    entity id: Element.ID,
    in table: any KeyPath<State, EntityTable<Element>> & Sendable
  ) -> Derived<Element?> {
    guard let derived = store().derived(entity: id, in: table) else { Misuse.derivingFromNothing.stop() }
    return derived
  }

  /// A record that is kept when it is deleted, as ``Arbor/Store/derived(keeping:in:)``; it needs a state to begin with.
  @inlinable
  public func derived<Element>(
    keeping id: Element.ID,
    in table: any KeyPath<State, EntityTable<Element>> & Sendable
  ) -> Derived<KeptEntity<Element>?> {
    guard let derived = store().derived(keeping: id, in: table) else { Misuse.derivingFromNothing.stop() }
    return derived
  }

  /// A value made of several tables, as ``Arbor/Store/derived(joining:compute:)``; it needs a state to begin with.
  @inlinable
  public func derived<each Element: Identifiable & Sendable, Value: Equatable & Sendable>(
    joining table: repeat any KeyPath<State, EntityTable<each Element>> & Sendable,
    compute: @escaping @Sendable (_ table: repeat EntityTable<each Element>) -> Value
  ) -> Derived<Value> where repeat (each Element).ID: Sendable {
    guard let derived = store().derived(joining: repeat each table, compute: compute) else {
      Misuse.derivingFromNothing.stop()
    }
    return derived
  }

  /// A store of one record of a table, with its own actions, as ``Arbor/Store/scope(entity:in:action:)``.
  @inlinable
  public func scope<Element, ElementAction: Sendable>(
    entity id: Element.ID,
    in table: any KeyPath<State, EntityTable<Element>> & Sendable,
    action embed: @escaping @Sendable (_ id: Element.ID, _ action: ElementAction) -> Action
  ) -> Store<Element, ElementAction> {
    store().scope(entity: id, in: table, action: embed)
  }

  /// A store of one record of a table, with the child's actions, as ``Arbor/Store/scope(entity:in:)``.
  @inlinable
  public func scope<Element>(
    entity id: Element.ID,
    in table: any KeyPath<State, EntityTable<Element>> & Sendable
  ) -> Store<Element, Action> {
    store().scope(entity: id, in: table)
  }
}
