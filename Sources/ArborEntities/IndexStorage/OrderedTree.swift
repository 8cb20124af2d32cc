/// Slots in the order of keys, those with equal keys in the order of the slots; shares with its copies what they have in common.
///
/// - A tree whose branches know how many entries are below each child: entries are found by key and by position in O(log n).
/// - The order of the keys is given with each call, by the same closure each time.
@usableFromInline
struct OrderedTree<Key: Sendable>: Sendable {
  @usableFromInline typealias Node = OrderedNode<Key>
  @usableFromInline typealias Entry = OrderedEntry<Key>

  @usableFromInline var root: Node?

  @inlinable
  init() {}

  /// A tree of entries that are in order.
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

  /// Puts an entry in, which is not in.
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

  /// Takes an entry out.
  ///
  /// - Returns: `true` if it was in.
  @inlinable
  @discardableResult
  mutating func remove(_ entry: Entry, by areInOrder: (Key, Key) -> Bool) -> Bool {
    guard root != nil else { return false }
    let before = count
    if !Node.remove(entry, from: &root!, by: areInOrder) {
      // Of keys that a closure puts into no order none is where it is looked for.
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

  /// The leaf with the entry at a position, and where in it that is.
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

  /// The number of entries for which a closure returns `true`, as it must for all entries in front of such a one.
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
