/// A node of an ordered tree: a leaf with entries, or a branch with children. Only a node with a single owner is
/// changed.
@usableFromInline
final class OrderedNode<Key: Sendable>: @unchecked Sendable {  // A node with several owners is never changed.
  @usableFromInline typealias Entry = OrderedEntry<Key>
  @usableFromInline typealias Child = OrderedChild<Key>

  /// The maximum number of entries or children of a node.
  @inlinable static var width: Int { 32 }

  @usableFromInline
  @exclusivity(unchecked)
  var entries: [Entry] = []

  @usableFromInline
  @exclusivity(unchecked)
  var children: [Child] = []

  /// The number of entries in the node and below it.
  @usableFromInline
  @exclusivity(unchecked)
  var count: Int

  /// Makes a node with either entries or children.
  @inlinable
  init(entries: [Entry] = [], children: [Child] = []) {
    self.entries = entries
    self.children = children
    count = children.reduce(entries.count) { $0 + $1.count }
  }

  @inlinable
  static func own(_ node: inout OrderedNode) {
    if !isKnownUniquelyReferenced(&node) { node = OrderedNode(entries: node.entries, children: node.children) }
  }

  /// The index of the child that contains an entry, or where it belongs.
  @inlinable
  func child(of entry: Entry, by areInOrder: (Key, Key) -> Bool) -> Int {
    max(children.partition { !entry.isBefore($0.first, by: areInOrder) } - 1, 0)
  }

  /// - Returns: A new node to insert after this one, if this one became too large; nil if there is room.
  @inlinable
  static func insert(
    _ entry: Entry,
    into node: inout OrderedNode,
    by areInOrder: (Key, Key) -> Bool
  ) -> OrderedNode? {
    own(&node)
    node.count += 1
    guard !node.children.isEmpty else {
      node.entries.insert(entry, at: node.entries.partition { $0.isBefore(entry, by: areInOrder) })
      return node.splitIfTooLarge()
    }
    let index = node.child(of: entry, by: areInOrder)
    let sibling = insert(entry, into: &node.children[index].node, by: areInOrder)
    node.children[index].refresh()
    guard let sibling else { return nil }
    node.children.insert(Child(sibling), at: index + 1)
    return node.splitIfTooLarge()
  }

  /// Moves the second half of a node that has become too large to a new node, and returns the new node.
  @inlinable
  func splitIfTooLarge() -> OrderedNode? {
    guard size > OrderedNode.width else { return nil }
    let half = size / 2
    let sibling = OrderedNode(entries: Array(entries.dropFirst(half)), children: Array(children.dropFirst(half)))
    entries.removeLast(max(entries.count - half, 0))
    children.removeLast(max(children.count - half, 0))
    count -= sibling.count
    return sibling
  }

  /// - Returns: `true` if the entry was found.
  @inlinable
  static func remove(_ entry: Entry, from node: inout OrderedNode, by areInOrder: (Key, Key) -> Bool) -> Bool {
    own(&node)
    guard !node.children.isEmpty else {
      let index = node.entries.partition { $0.isBefore(entry, by: areInOrder) }
      guard index < node.entries.count, node.entries[index].slot == entry.slot else { return false }
      node.entries.remove(at: index)
      node.count -= 1
      return true
    }
    let index = node.child(of: entry, by: areInOrder)
    guard remove(entry, from: &node.children[index].node, by: areInOrder) else { return false }
    node.count -= 1
    node.settle(index)
    return true
  }

  /// Joins a child that has become small with a neighbor, and removes an empty child.
  @inlinable
  func settle(_ index: Int) {
    guard children[index].node.count > 0 else {
      children.remove(at: index)
      return
    }
    guard children[index].node.size < OrderedNode.width / 4, children.count > 1 else {
      children[index].refresh()
      return
    }
    let first = max(index - 1, 0)
    let (left, right) = (children[first].node, children[first + 1].node)
    let joined = OrderedNode(entries: left.entries + right.entries, children: left.children + right.children)
    let parts = [joined, joined.splitIfTooLarge()].compactMap(\.self)
    children.replaceSubrange(first...(first + 1), with: parts.map(Child.init))
  }

  /// The number of entries or children of this node itself.
  @inlinable
  var size: Int { max(entries.count, children.count) }

  @inlinable
  var first: Entry? { children.first?.first ?? entries.first }
}

/// A child of a branch, with a summary that makes it unnecessary to read the child itself.
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

  /// Updates the summary of the node, which is not empty.
  @inlinable
  mutating func refresh() {
    first = node.first.unsafelyUnwrapped
    count = node.count
  }
}

/// A slot and the key by which it is sorted.
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

extension Array {
  /// The number of elements for which a closure returns `true`. They must come before all others.
  @inlinable
  func partition(where isInFront: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isInFront(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
