/// The slot of the record that has a unique key.
@usableFromInline
struct KeyOwner<Key: Hashable & Sendable>: Identifiable, Sendable {
  @usableFromInline let id: Key
  @usableFromInline let slot: Int

  @inlinable
  init(id: Key, slot: Int) {
    self.id = id
    self.slot = slot
  }
}
