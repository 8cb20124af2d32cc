/// Where the keys of a range begin and end.
struct KeyBounds<Key: Comparable> {
  private let lower: Key?
  private let upper: Key?
  private let includesUpper: Bool

  /// The bounds of a range of one of the kinds that the language has; nil of any other.
  init?(_ range: some RangeExpression<Key>) {
    switch range {
    case let range as Range<Key>: (lower, upper, includesUpper) = (range.lowerBound, range.upperBound, false)
    case let range as ClosedRange<Key>: (lower, upper, includesUpper) = (range.lowerBound, range.upperBound, true)
    case let range as PartialRangeFrom<Key>: (lower, upper, includesUpper) = (range.lowerBound, nil, false)
    case let range as PartialRangeUpTo<Key>: (lower, upper, includesUpper) = (nil, range.upperBound, false)
    case let range as PartialRangeThrough<Key>: (lower, upper, includesUpper) = (nil, range.upperBound, true)
    default: return nil
    }
  }

  /// Whether a key is below the range.
  func isBelow(_ key: Key) -> Bool {
    lower.map { key < $0 } ?? false
  }

  /// Whether a key is in the range or below it.
  func isInOrBelow(_ key: Key) -> Bool {
    // One that is not equal to itself is behind all that are in a range.
    upper.map { includesUpper ? key <= $0 : key < $0 } ?? (key == key)
  }
}
