/// A key in the order of a closure, and not in that of `<`: the key of a ``SortedIndex`` with such an order.
///
/// - `SortedIndex(\Book.year, by: >)` is a `SortedIndex<Book, CustomOrder<Int>>`; only its type has to name it.
/// - Not `Comparable`, whatever the key is: a range of Swift's goes upward by `<`, so for such an index none compiles.
public struct CustomOrder<Key: Sendable>: Sendable {
  @usableFromInline let key: Key

  @inlinable
  init(_ key: Key) {
    self.key = key
  }
}
