/// The slots of the records that have a key.
@usableFromInline
struct IndexGroup<Key: Hashable & Sendable, Order: Sendable>: Identifiable, Sendable {
  @usableFromInline let id: Key
  @usableFromInline var tree = OrderedTree<Order>()

  @inlinable
  init(_ key: Key) {
    id = key
  }
}
