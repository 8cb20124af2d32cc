/// The keys with which a range begins and ends, in the order of an index.
struct KeyBounds<Key: Sendable> {
  /// Nil where the range begins with the order.
  private let first: Key?

  /// Nil where the range ends with the order.
  private let last: Key?

  private let includesLast: Bool

  init(from first: Key?, through last: Key?) {
    (self.first, self.last, includesLast) = (first, last, true)
  }

  /// The positions of the keys that are in the range.
  func positions(in tree: OrderedTree<Key>, by index: SortedIndex<some Any, Key>) -> Range<Int> {
    let start = first.map { first in tree.position { index.areInOrder($0.key, first) } } ?? 0
    let end = tree.position { entry in
      guard index.isOrdered(entry.key) else { return false }
      guard let last else { return true }
      return includesLast ? !index.areInOrder(last, entry.key) : index.areInOrder(entry.key, last)
    }
    return start..<max(start, end)
  }
}

extension KeyBounds where Key: Comparable {
  /// The bounds of a range of one of the kinds that the language has; nil of any other.
  init?(_ range: some RangeExpression<Key>) {
    switch range {
    case let range as Range<Key>: (first, last, includesLast) = (range.lowerBound, range.upperBound, false)
    case let range as ClosedRange<Key>: (first, last, includesLast) = (range.lowerBound, range.upperBound, true)
    case let range as PartialRangeFrom<Key>: (first, last, includesLast) = (range.lowerBound, nil, true)
    case let range as PartialRangeUpTo<Key>: (first, last, includesLast) = (nil, range.upperBound, false)
    case let range as PartialRangeThrough<Key>: (first, last, includesLast) = (nil, range.upperBound, true)
    default: return nil
    }
  }
}
