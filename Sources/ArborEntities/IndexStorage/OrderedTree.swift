/// Slots in the order of keys, and in the order of the slots for equal keys. Copies share their common parts.
///
/// - It is a tree whose branches store the number of entries below each child, so that entries are found by key and by
///   position in O(log n).
/// - Each call passes the order of the keys, always the same closure.
@usableFromInline
struct OrderedTree<Key: Sendable>: Sendable {
  @usableFromInline typealias Node = OrderedNode<Key>
  @usableFromInline typealias Entry = OrderedEntry<Key>

  @usableFromInline var root: Node?

  @inlinable
  init() {}

  /// Makes a tree of sorted entries.
  @inlinable
  init(sorted entries: [Entry]) {
    var nodes = stride(from: 0, to: entries.count, by: Node.width).map { start in
      Node(entries: Array(entries[start..<min(start + Node.width, entries.count)]))
    }
    while nodes.count > 1 {
      nodes = stride(from: 0, to: nodes.count, by: Node.width).map { start in
        Node(children: nodes[start..<min(start + Node.width, nodes.count)].map(OrderedChild.init))
      }
    }
    root = nodes.first
  }

  @inlinable
  var count: Int { root?.count ?? 0 }

  /// Inserts an entry that is not in the tree.
  @inlinable
  mutating func insert(_ entry: Entry, by areInOrder: (Key, Key) -> Bool) {
    guard root != nil else {
      root = Node(entries: [entry])
      return
    }
    if let sibling = Node.insert(entry, into: &root!, by: areInOrder) {
      root = Node(children: [OrderedChild(root!), OrderedChild(sibling)])
    }
  }

  /// Removes an entry.
  ///
  /// - Returns: `true` if the entry was in the tree.
  @inlinable
  @discardableResult
  mutating func remove(_ entry: Entry, by areInOrder: (Key, Key) -> Bool) -> Bool {
    guard root != nil else { return false }
    let before = count
    if !Node.remove(entry, from: &root!, by: areInOrder) {
      // If a closure does not put the keys into an order, a search may miss the entry.
      self = OrderedTree(sorted: entries.filter { $0.slot != entry.slot })
    }
    if root?.count == 0 { root = nil }
    while let only = root, only.children.count == 1 { root = only.children[0].node }
    return count < before
  }

  /// The entry at a position.
  @inlinable
  subscript(position: Int) -> Entry {
    let (leaf, offset) = leaf(at: position)
    return leaf.entries[offset]
  }

  /// The leaf with the entry at a position, and the entry's offset in it.
  @inlinable
  func leaf(at position: Int) -> (node: Node, offset: Int) {
    var node = root!
    var position = position
    while !node.children.isEmpty {
      var child = 0
      while position >= node.children[child].count {
        position -= node.children[child].count
        child += 1
      }
      node = node.children[child].node
    }
    return (node, position)
  }

  /// The number of entries for which a closure returns `true`. If it does for an entry, it must for all entries before
  /// it.
  @inlinable
  func position(where isInFront: (Entry) -> Bool) -> Int {
    guard var node = root else { return 0 }
    var position = 0
    while !node.children.isEmpty {
      let next = node.children.partition { isInFront($0.first) }
      guard next > 0 else { return position }
      for child in node.children[..<(next - 1)] { position += child.count }
      node = node.children[next - 1].node
    }
    return position + node.entries.partition(where: isInFront)
  }

  /// All entries, in order.
  @inlinable
  var entries: [Entry] {
    var entries: [Entry] = []
    entries.reserveCapacity(count)
    while entries.count < count { entries += leaf(at: entries.count).node.entries }
    return entries
  }
}

/// Returns `true` if a key comes before another one.
///
/// - A key that is not equal to itself, such as NaN, comes after all others, so that all keys have one strict order.
@inlinable
func isInOrder<Key: Comparable>(_ first: Key, _ second: Key) -> Bool {
  first < second || second != second && first == first
}

/// Returns `true` if a key comes before another one. A closure decides for keys that are equal to themselves; the
/// others come last.
@inlinable
func isInOrder<Key: Equatable>(_ first: Key, _ second: Key, by areInIncreasingOrder: (Key, Key) -> Bool) -> Bool {
  guard first == first, second == second else { return first == first && second != second }
  return areInIncreasingOrder(first, second)
}
