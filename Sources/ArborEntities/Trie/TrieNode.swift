/// A node of a trie, shared by all versions of a table in which it is the same: a branch of up to 32 children, or a leaf.
///
/// - Only one of which there is a single owner may be changed; see ``own(_:room:)``.
/// - Header and content are one piece of memory, so that a step down the trie is one load.
@usableFromInline
final class TrieNode<Slot>: ManagedBuffer<TrieHeader, Slot> {
  @inlinable
  static func leaf(capacity: Int) -> TrieNode {
    make(TrieHeader(capacity: capacity, isLeaf: true), size: capacity)
  }

  @inlinable
  static func branch(capacity: Int) -> TrieNode {
    // Its children lie where a leaf has its slots.
    let bytes = capacity * MemoryLayout<TrieNode>.stride
    return make(
      TrieHeader(capacity: capacity, isLeaf: false),
      size: (bytes + MemoryLayout<Slot>.stride - 1) / MemoryLayout<Slot>.stride
    )
  }

  @inlinable
  static func make(_ header: TrieHeader, size: Int) -> TrieNode {
    unsafeDowncast(TrieNode.create(minimumCapacity: size) { _ in header }, to: TrieNode.self)
  }

  @inlinable
  deinit {
    if head.pointee.isLeaf {
      slots.deinitialize(count: head.pointee.count)
    } else {
      children.deinitialize(count: head.pointee.count)
    }
  }

  /// The node's summary of its content; read without the checks that a stored property has.
  @inlinable @inline(__always)
  var head: UnsafeMutablePointer<TrieHeader> { withUnsafeMutablePointerToHeader { $0 } }

  /// The content of a leaf.
  @inlinable @inline(__always)
  var slots: UnsafeMutablePointer<Slot> { withUnsafeMutablePointerToElements { $0 } }

  /// The child below a branch.
  @inlinable @inline(__always)
  var children: UnsafeMutablePointer<TrieNode> {
    UnsafeMutableRawPointer(slots).assumingMemoryBound(to: TrieNode.self)
  }

  /// The number that tells a child from others; read without touching the child.
  @inlinable @inline(__always)
  func address(ofChild offset: Int) -> UnsafeRawPointer {
    UnsafeRawPointer(children + offset).load(as: UnsafeRawPointer.self)
  }

  /// Where in the content a place is that is taken, or would be if it were.
  @inlinable @inline(__always)
  func offset(of place: Int) -> Int {
    // A branch that is foreseen: what lies in a full node is fetched before its mask is there.
    if _fastPath(head.pointee.mask == TrieHeader.full) { return place }
    return (head.pointee.mask & (1 &<< UInt32(truncatingIfNeeded: place) &- 1)).nonzeroBitCount
  }

  @inlinable @inline(__always)
  func holds(_ place: Int) -> Bool {
    head.pointee.mask & (1 &<< UInt32(truncatingIfNeeded: place)) != 0
  }

  /// Makes sure that a node has one owner, and room.
  @inlinable
  static func own(_ node: inout TrieNode, room: Int = 0) {
    let needed = node.head.pointee.count + room
    let isOwned = isKnownUniquelyReferenced(&node)
    if isOwned, needed <= node.head.pointee.capacity { return }
    var capacity = needed
    if needed > node.head.pointee.capacity, room > 0 {
      // By doubling, up to what a node of the trie holds; behind that, as bags of equal hashes go, in steps.
      let old = node.head.pointee.capacity
      capacity = max(needed, old < TrieHeader.width ? min(old * 2, TrieHeader.width) : old + TrieHeader.width / 2)
    }
    node = isOwned ? node.moved(capacity: capacity) : node.copied(capacity: capacity)
  }

  @inlinable
  func copied(capacity: Int) -> TrieNode {
    let copy = empty(capacity: capacity)
    if head.pointee.isLeaf {
      copy.slots.initialize(from: slots, count: head.pointee.count)
    } else {
      copy.children.initialize(from: children, count: head.pointee.count)
    }
    return copy
  }

  /// A larger node with the content of this one, which is left empty.
  @inlinable
  func moved(capacity: Int) -> TrieNode {
    let copy = empty(capacity: capacity)
    if head.pointee.isLeaf {
      copy.slots.moveInitialize(from: slots, count: head.pointee.count)
    } else {
      copy.children.moveInitialize(from: children, count: head.pointee.count)
    }
    head.pointee.count = 0
    return copy
  }

  /// This node, or a smaller one where most of its room has become free. Of a node with one owner.
  @inlinable
  func shrunk() -> TrieNode {
    let count = head.pointee.count
    return count > 0 && count * 4 <= head.pointee.capacity ? moved(capacity: count * 2) : self
  }

  /// A node of the same kind whose content is still to be initialized.
  @inlinable
  func empty(capacity: Int) -> TrieNode {
    let node = head.pointee.isLeaf ? TrieNode.leaf(capacity: capacity) : TrieNode.branch(capacity: capacity)
    node.head.pointee.mask = head.pointee.mask
    node.head.pointee.count = head.pointee.count
    return node
  }

  // MARK: Changes, of a node with one owner and room

  @inlinable
  func insert(_ slot: Slot, at place: Int) {
    insert(slot, into: slots, at: place)
  }

  @inlinable
  func insert(_ child: TrieNode, at place: Int) {
    insert(child, into: children, at: place)
  }

  @inlinable
  func removeSlot(at place: Int) -> Slot {
    remove(from: slots, at: place)
  }

  @inlinable
  func removeChild(at place: Int) {
    _ = remove(from: children, at: place)
  }

  @inlinable
  func insert<Content>(_ content: Content, into contents: UnsafeMutablePointer<Content>, at place: Int) {
    let position = contents + offset(of: place)
    let behind = head.pointee.count - offset(of: place)
    (position + 1).moveInitialize(from: position, count: behind)
    position.initialize(to: content)
    head.pointee.mask |= 1 &<< UInt32(truncatingIfNeeded: place)
    head.pointee.count += 1
  }

  @inlinable
  func remove<Content>(from contents: UnsafeMutablePointer<Content>, at place: Int) -> Content {
    let position = contents + offset(of: place)
    let behind = head.pointee.count - offset(of: place) - 1
    let content = position.move()
    position.moveInitialize(from: position + 1, count: behind)
    head.pointee.mask &= ~(1 &<< UInt32(truncatingIfNeeded: place))
    head.pointee.count -= 1
    return content
  }
}
