/// A table of records that finds the differences between two of its versions, for displaying differences between
/// states.
package protocol VersionedTable {
  /// Makes an empty table.
  init()

  /// Calls a body with each difference from another version, in the order of the records, until the body returns
  /// `false`. Doesn't visit memory that both versions share.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of differing records, and of positions in an order, to visit.
  ///   - length: The maximum number of ids to list for an order.
  ///   - body: Returns `true` to continue with the next difference.
  /// - Returns: `true` if all differences were visited; `false` if `limit` or `body` ended the visit.
  func visitDifferences(
    from older: Self,
    atMost limit: Int,
    listing length: Int,
    _ body: (_ difference: TableDifference) -> Bool
  ) -> Bool
}

/// A difference between two versions of a table.
package enum TableDifference {
  /// A record that was inserted, removed, or has a different stamp.
  case record(id: Any, before: Any?, after: Any?)

  /// A different order of the records that both versions contain: their ids, starting at the first position that
  /// differs.
  case order(before: [Any], after: [Any])

  /// A difference in a manual order: the ids starting at `position`, the first one with another record or another
  /// placement.
  case manualOrder(_ name: String, position: Int, before: [Any], after: [Any])
}

/// An id of records that is made of a raw value of any type, for writing it as Swift.
package protocol TypedRawID: MirroredOtherwise {
  /// The raw value.
  var anyRawValue: Any { get }
}

/// A value that encodes its difference from an older version, for saving only the changes instead of the whole.
///
/// - The older version may be encoded and decoded after a difference is taken and before it is applied.
package protocol DifferenceCodable: Codable, Sendable {
  /// The changes from an older version to a newer one.
  associatedtype Difference: Codable & Sendable

  /// Returns `true` if one is a copy of the other and neither has changed since, in constant time.
  func isSameVersion(as other: Self) -> Bool

  /// Returns the difference from an older version; `nil` if it can't be expressed or isn't clearly shorter than the
  /// whole value.
  func codableDifference(from older: Self) -> Difference?

  /// Turns a version that is equal to the older one into the newer one.
  ///
  /// - Throws: `DecodingError` if the difference doesn't fit, regardless of its origin. In that case, nothing has
  ///   changed.
  mutating func apply(_ difference: Difference) throws
}

/// A value that logs, recordings and differences show by its debug description, such as an id with the type of its records.
package protocol DebugShown: CustomDebugStringConvertible {}
