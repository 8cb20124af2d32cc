internal import Arbor

/// Equality of any values, including types without `==`.
///
/// - If a type has `==`, only that decides. Otherwise, two values are equal if they have the same bits, like two
///   references to one object, or if all their parts are equal.
/// - If a type makes its own mirror, the mirror may show anything, so it is never read. Two values of such a type
///   without `==` are only equal if they have the same bits.
/// - Values without `==` that are 32 parts deep are only equal if they have the same bits.
package enum ValueEquality {
  /// Returns `true` if two values are equal.
  package static func areEqual(_ left: Any, _ right: Any) -> Bool {
    areEqual(left, right, depth: 32)
  }

  private static func areEqual(_ left: Any, _ right: Any, depth: Int) -> Bool {
    guard type(of: left) == type(of: right) else { return false }
    if let left = left as? any Equatable { return isEqual(left, right) }
    if BitComparison.isSame(left, right) { return true }
    guard depth > 0, !(type(of: left) is AnyClass), !ValueShape.hasOwnMirror(left) else { return false }
    return haveEqualParts(left, right, depth: depth - 1)
  }

  private static func haveEqualParts(_ left: Any, _ right: Any, depth: Int) -> Bool {
    switch (ValueShape(of: left, atMost: .max), ValueShape(of: right, atMost: .max)) {
    case (.none, .none): true
    case (.some(let left), .some(let right)):
      areEqual(left, right, depth: depth)
    case (.parts(let left), .parts(let right)):
      areEqual(left.map(\.value), right.map(\.value), depth: depth)
    case (.enumeration(let name, let left), .enumeration(let other, let right)):
      name == other && areEqual(left.map(\.value), right.map(\.value), depth: depth)
    case (.list(let left), .list(let right)):
      left.count == right.count
        && (0..<left.count).allSatisfy { areEqual(left[$0], right[$0], depth: depth) }
    case (.entries(let left, _, _), .entries(let right, _, _)):
      left.count == right.count
        && right.differences(from: left, atMost: .max).entries.allSatisfy { entry in
          guard let before = entry.before, let after = entry.after else { return false }
          return areEqual(before, after, depth: depth)
        }
    case (.table(let left), .table(let right)):
      areEqual(left, right, depth: depth)
    case (.leaf, .leaf):
      areEqualCases(left, right)
    default: false
    }
  }

  /// Returns `true` if both are the same case of an enum, without a payload. For enums that describe themselves, that
  /// is unknown.
  private static func areEqualCases(_ left: Any, _ right: Any) -> Bool {
    guard Mirror(reflecting: left).displayStyle == .enum else { return false }
    switch left {
    case is any TextOutputStreamable, is any CustomStringConvertible, is any CustomDebugStringConvertible: return false
    default: return "\(left)" == "\(right)"
    }
  }

  private static func areEqual<Table: VersionedTable>(_ left: Table, _ right: any VersionedTable, depth: Int) -> Bool {
    guard let right = right as? Table else { return false }
    return right.visitDifferences(from: left, atMost: .max, listing: 1) { difference in
      guard case .record(_, let before?, let after?) = difference else { return false }
      return areEqual(before, after, depth: depth)
    }
  }

  private static func areEqual(_ left: [Any], _ right: [Any], depth: Int) -> Bool {
    left.count == right.count && zip(left, right).allSatisfy { areEqual($0, $1, depth: depth) }
  }

  private static func isEqual<Value: Equatable>(_ left: Value, _ right: Any) -> Bool {
    left == right as? Value
  }
}
