/// `true` if a key comes before another one.
///
/// - One that is not equal to itself, as a number that is not a number, comes behind all others: so all are in one strict order.
@inlinable
func isInOrder<Key: Comparable>(_ first: Key, _ second: Key) -> Bool {
  first < second || second != second && first == first
}

/// Returns `true` if a key comes before another one, as a closure says of those that are equal to themselves. The others come
/// behind them.
@inlinable
func isInOrder<Key: Equatable>(_ first: Key, _ second: Key, by areInIncreasingOrder: (Key, Key) -> Bool) -> Bool {
  guard first == first, second == second else { return first == first && second != second }
  return areInIncreasingOrder(first, second)
}
