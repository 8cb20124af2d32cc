/// A table of records that tells what differs between two versions of it: for those who show differences of states.
package protocol VersionedTable {
  /// Makes an empty table.
  init()

  /// Calls a body with what differs from another version, in the order of the records, until it wants no more. What both
  /// versions share is not looked at.
  ///
  /// - Parameters:
  ///   - limit: How many records and places in orders are looked at.
  ///   - length: How many ids of an order are told.
  /// - Returns: Whether all that differs was told.
  func visitDifferences(
    from older: Self,
    atMost limit: Int,
    listing length: Int,
    _ body: (_ difference: TableDifference) -> Bool
  ) -> Bool
}

/// Something that differs between two versions of a table.
package enum TableDifference {
  /// A record that came, went, or has another stamp.
  case record(id: Any, before: Any?, after: Any?)

  /// The records that are in both have another order: from the first that has another place on, by their ids.
  case order(before: [Any], after: [Any])

  /// A manual order has other records from a position on, or others in their places.
  case manualOrder(_ name: String, position: Int, before: [Any], after: [Any])
}
