public import Arbor

extension StoreOwner {
  /// A record of a table of the root's state, as ``Arbor/StoreProtocol/derived(entity:in:)``.
  ///
  /// - Parameters:
  ///   - id: The id of the record.
  ///   - table: The key path of the table in the root's state.
  @inlinable
  public func derived<Element>(
    entity id: Element.ID,
    in table: any KeyPath<State, EntityTable<Element>> & Sendable
  ) -> Derived<Element?> {
    asStore.derived(entity: id, in: table)!
  }

  /// A record that is kept when it is deleted, as ``Arbor/StoreProtocol/derived(keeping:in:)``.
  ///
  /// - Parameters:
  ///   - id: The id of the record.
  ///   - table: The key path of the table in the root's state.
  @inlinable
  public func derived<Element>(
    keeping id: Element.ID,
    in table: any KeyPath<State, EntityTable<Element>> & Sendable
  ) -> Derived<KeptEntity<Element>?> {
    asStore.derived(keeping: id, in: table)!
  }

  /// A value made of several tables, as ``Arbor/StoreProtocol/derived(joining:compute:)``.
  ///
  /// - Parameters:
  ///   - table: The key paths of the tables in the root's state.
  ///   - compute: Makes the value of the tables, which come in the order of the key paths.
  @inlinable
  public func derived<each Element: Identifiable & Sendable, Value: Equatable & Sendable>(
    joining table: repeat any KeyPath<State, EntityTable<each Element>> & Sendable,
    compute: @escaping @Sendable (_ table: repeat EntityTable<each Element>) -> Value
  ) -> Derived<Value> where repeat (each Element).ID: Sendable {
    asStore.derived(joining: repeat each table, compute: compute)!
  }
}
