public import Arbor
public import ArborEntities

extension ListUpdate {
  /// Computes the update of a list that shows all records of a table in the table's order.
  ///
  /// - The first delivery inserts all records. If deliveries were skipped, the update covers everything since the last
  ///   one.
  /// - Cost: O(n) usually; see ``init(from:to:changed:)``.
  /// - Parameter changes: The current table, and the table of the previous delivery.
  @inlinable
  public init<Record>(_ changes: Changes<EntityTable<Record>>) where Record.ID == ID {
    self.init(changes) { $0 }
  }

  /// Computes the update of a list that shows the result of a closure: records in the order of an index, or only some
  /// records.
  ///
  /// ```swift
  /// let update = ListUpdate(changes) { $0[Book.byTitle] }
  /// ```
  ///
  /// - The first delivery inserts all listed records. If deliveries were skipped, the update covers everything since
  ///   the last one.
  /// - Parameters:
  ///   - changes: The current table, and the table of the previous delivery.
  ///   - list: Returns the records that the list shows. Called for the previous table, which is empty at first, and for
  ///     the new one.
  @inlinable
  public init<Record>(
    _ changes: Changes<EntityTable<Record>>,
    of list: (_ table: EntityTable<Record>) throws -> some Sequence<Record>
  ) rethrows where Record.ID == ID {
    self.init(
      from: try list(changes.previous ?? EntityTable()).map(\.id),
      to: try list(changes.current).map(\.id),
      changed: changes.difference().updated
    )
  }
}
