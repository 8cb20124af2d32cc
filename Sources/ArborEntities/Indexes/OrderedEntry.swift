/// A slot and the key by which it is put in order.
@usableFromInline
struct OrderedEntry<Key: Sendable>: Sendable {
  @usableFromInline let key: Key
  @usableFromInline let slot: Int

  @inlinable
  init(_ key: Key, _ slot: Int) {
    self.key = key
    self.slot = slot
  }

  @inlinable
  func isBefore(_ other: OrderedEntry, by areInOrder: (Key, Key) -> Bool) -> Bool {
    if areInOrder(key, other.key) { return true }
    return slot < other.slot && !areInOrder(other.key, key)
  }
}
