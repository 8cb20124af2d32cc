/// A child of a branch, with what is to be known of it without looking into it.
@usableFromInline
struct OrderedChild<Key: Sendable>: Sendable {
  @usableFromInline var node: OrderedNode<Key>
  @usableFromInline private(set) var first: OrderedEntry<Key>
  @usableFromInline private(set) var count: Int

  @inlinable
  init(_ node: OrderedNode<Key>) {
    self.node = node
    first = node.first.unsafelyUnwrapped
    count = node.count
  }

  /// Takes over what the node has become, which is not empty.
  @inlinable
  mutating func refresh() {
    first = node.first.unsafelyUnwrapped
    count = node.count
  }
}
