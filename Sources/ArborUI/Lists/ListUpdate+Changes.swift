public import Arbor
public import ArborEntities

extension ListUpdate {
  /// The update of a list that shows all records of a table, in the order of the table.
  ///
  /// - Of the first delivery, that all come. Where deliveries were skipped, that since the last one.
  /// - Cost: O(n) as a rule; see ``init(from:to:changed:)``.
  /// - Parameter changes: The table as it is, and as it was for the delivery before.
  @inlinable
  public init<Record>(_ changes: Changes<EntityTable<Record>>) where Record.ID == ID {
    self.init(changes) { $0 }
  }

  /// The update of a list that shows what a closure makes of a table: records in the order of an index, or some of them.
  ///
  /// ```swift
  /// let update = ListUpdate(changes) { $0[Book.byTitle] }
  /// ```
  ///
  /// - In all else as ``init(_:)``.
  /// - Parameters:
  ///   - changes: The table as it is, and as it was for the delivery before.
  ///   - list: Returns the records that the list shows. Called for the table before, empty at first, and the new one.
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
