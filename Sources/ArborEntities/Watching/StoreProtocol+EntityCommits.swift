public import Arbor

extension StoreProtocol where Action == Mutation<State> {
  /// A store of one record of a table, with commits of that record.
  ///
  /// ```swift
  /// let row = store.scope(entity: id, in: \.books)  // Store<Book, Mutation<Book>>
  /// row.commit { $0.title = "Emma" }
  /// ```
  ///
  /// - While the table has no such record, observers are not called, ``Arbor/StoreProtocol/state`` is nil, and commits
  ///   do nothing: they are no step, and return nil.
  /// - A commit is an ``EntityTable/update(_:_:)``: it changes the record in the table's place in memory, at any size
  ///   of the table, and one that leaves the record as it was leaves the stamps. If the table refuses the record,
  ///   because of another id or a unique key that another record has, the commit is no step and returns nil; the first
  ///   one is also reported on standard error. To receive the error, commit to the store that has the table.
  /// - In all else as ``scope(entity:in:action:)``. A table that can only be read, in a `let` or of a `stateMapping`,
  ///   gives a store that dispatches the mutations of this one.
  /// - Parameters:
  ///   - id: The id of the record.
  ///   - table: The writable key path of the table in the state.
  @inlinable
  public func scope<Element>(
    entity id: Element.ID,
    in table: any WritableKeyPath<State, EntityTable<Element>> & Sendable
  ) -> Store<Element, Mutation<Element>> {
    let access = WritablePart(table)
    return scope(
      atOptional: .element(of: access, at: { \.[id] }) { table, change in table.write(id, change) },
      at: .element(ElementPlace(id, in: table))
    ) { [reader = access.reader] state in reader(state)[id] }
  }
}
