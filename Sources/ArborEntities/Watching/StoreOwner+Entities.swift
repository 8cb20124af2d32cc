public import Arbor

extension StoreOwner {
  /// Returns a derived value that follows a record of a table of the root's state, like
  /// ``Arbor/StoreProtocol/derived(entity:in:)``.
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

  /// Returns a derived value that follows a record and keeps it after its deletion, like
  /// ``Arbor/StoreProtocol/derived(keeping:in:)``.
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

  /// Returns a value derived from several tables, like ``Arbor/StoreProtocol/derived(joining:compute:)``.
  ///
  /// - Parameters:
  ///   - table: The key paths of the tables in the root's state.
  ///   - compute: Computes the value from the tables, which are passed in the order of the key paths.
  @inlinable
  public func derived<each Element: Identifiable & Sendable, Value: Equatable & Sendable>(
    joining table: repeat any KeyPath<State, EntityTable<each Element>> & Sendable,
    compute: @escaping @Sendable (_ table: repeat EntityTable<each Element>) -> Value
  ) -> Derived<Value> where repeat (each Element).ID: Sendable {
    asStore.derived(joining: repeat each table, compute: compute)!
  }
}
