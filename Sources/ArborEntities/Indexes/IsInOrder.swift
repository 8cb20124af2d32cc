/// Whether a key comes before another one.
///
/// - One that is not equal to itself, as a number that is not a number, comes behind all others: so all are in one strict order.
@inlinable
func isInOrder<Key: Comparable>(_ first: Key, _ second: Key) -> Bool {
  first < second || second != second && first == first
}
