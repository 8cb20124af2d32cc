public import Arbor

extension StoreFactory {
  /// A store of one record of a table, with its own actions, as ``Arbor/StoreProtocol/scope(entity:in:action:)``.
  ///
  /// - Parameters:
  ///   - id: The id of the record.
  ///   - table: The key path of the table in the root's state.
  ///   - embed: Makes an action of the root of the record's id and an action of the store.
  @inlinable
  public func scopeStore<Element, ElementAction: Sendable>(
    entity id: Element.ID,
    in table: any KeyPath<State, EntityTable<Element>> & Sendable,
    action embed: @escaping @Sendable (_ id: Element.ID, _ action: ElementAction) -> Action
  ) -> Store<Element, ElementAction> {
    rootStore().scope(entity: id, in: table, action: embed)
  }

  /// A store of one record of a table, with the root's actions, as ``Arbor/StoreProtocol/scope(entity:in:)``.
  ///
  /// - Parameters:
  ///   - id: The id of the record.
  ///   - table: The key path of the table in the root's state.
  @inlinable
  public func scopeStore<Element>(
    entity id: Element.ID,
    in table: any KeyPath<State, EntityTable<Element>> & Sendable
  ) -> Store<Element, Action> {
    rootStore().scope(entity: id, in: table)
  }
}
