/// A node of a trie: a branch of up to 32 children, or a leaf. All versions of a table that have the same node share
/// it.
///
/// - Only a node with a single owner may be changed; see ``own(_:room:)``.
/// - Header and content share one allocation, so that a step down the trie is one load.
@usableFromInline
final class TrieNode<Slot>: ManagedBuffer<TrieHeader, Slot> {
  @inlinable
  static func leaf(capacity: Int) -> TrieNode {
    make(TrieHeader(capacity: capacity, isLeaf: true), size: capacity)
  }

  @inlinable
  static func branch(capacity: Int) -> TrieNode {
    // The children are stored where a leaf has its slots.
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
    visitRuns { start, count in
      if head.pointee.isLeaf {
        (slots + start).deinitialize(count: count)
      } else {
        (children + start).deinitialize(count: count)
      }
    }
  }

  /// The node's summary of its content, read without the checks of a stored property.
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

  /// The number that identifies a child, read without touching the child.
  @inlinable @inline(__always)
  func address(ofChild offset: Int) -> UnsafeRawPointer {
    UnsafeRawPointer(children + offset).load(as: UnsafeRawPointer.self)
  }

  /// `true` if the content of each place is at the place's own offset; otherwise contents are stored without gaps.
  @inlinable @inline(__always)
  var isSpread: Bool { head.pointee.capacity == TrieHeader.width }

  /// The offset in the content of a taken place; for a free place, the offset that it would have.
  @inlinable @inline(__always)
  func offset(of place: Int) -> Int {
    // A predictable branch: the content of a spread node is fetched before its header arrives.
    _fastPath(isSpread) ? place : head.pointee.rank(of: place)
  }

  @inlinable @inline(__always)
  func holds(_ place: Int) -> Bool {
    head.pointee.mask & (1 &<< UInt32(truncatingIfNeeded: place)) != 0
  }

  /// Ensures that a node has one owner, and room.
  @inlinable
  static func own(_ node: inout TrieNode, room: Int = 0) {
    let needed = node.head.pointee.count + room
    let isOwned = isKnownUniquelyReferenced(&node)
    if isOwned, needed <= node.head.pointee.capacity { return }
    let capacity = TrieHeader.capacity(for: needed, isGrowing: room > 0)
    node = isOwned ? node.moved(capacity: capacity) : node.copied(capacity: capacity)
  }

  /// A copy of this node.
  @inlinable
  func copied(capacity: Int) -> TrieNode {
    let copy = empty(capacity: capacity)
    var given = 0
    visitMask { start, count in
      let (from, to) = (isSpread ? start : given, copy.isSpread ? start : given)
      if head.pointee.isLeaf {
        (copy.slots + to).initialize(from: slots + from, count: count)
      } else {
        (copy.children + to).initialize(from: children + from, count: count)
      }
      given += count
    }
    return copy
  }

  /// A new node with the content of this one, which becomes empty.
  @inlinable
  func moved(capacity: Int) -> TrieNode {
    let copy = empty(capacity: capacity)
    var given = 0
    visitMask { start, count in
      let (from, to) = (isSpread ? start : given, copy.isSpread ? start : given)
      if head.pointee.isLeaf {
        (copy.slots + to).moveInitialize(from: slots + from, count: count)
      } else {
        (copy.children + to).moveInitialize(from: children + from, count: count)
      }
      given += count
    }
    (head.pointee.mask, head.pointee.count) = (0, 0)
    return copy
  }

  /// This node, or a smaller one if most of its room has become free. The node must have one owner.
  @inlinable
  func shrunk() -> TrieNode {
    let count = head.pointee.count
    return count > 0 && count * 4 <= head.pointee.capacity ? moved(capacity: count * 2) : self
  }

  /// A node of the same kind whose content is not initialized yet.
  @inlinable
  func empty(capacity: Int) -> TrieNode {
    let node = head.pointee.isLeaf ? TrieNode.leaf(capacity: capacity) : TrieNode.branch(capacity: capacity)
    node.head.pointee.mask = head.pointee.mask
    node.head.pointee.count = head.pointee.count
    return node
  }

  // MARK: Walking

  /// Calls a body with the start and the length of each run of contents.
  @inlinable @inline(__always)
  func visitRuns(_ body: (_ start: Int, _ count: Int) -> Void) {
    isSpread ? visitMask(body) : body(0, head.pointee.count)
  }

  /// Calls a body with each run of taken places: the first one, and their number.
  @inlinable @inline(__always)
  func visitMask(_ body: (_ start: Int, _ count: Int) -> Void) {
    var (start, rest) = (0, UInt64(head.pointee.mask))
    while rest != 0 {
      let skipped = rest.trailingZeroBitCount
      rest &>>= UInt64(skipped)
      let count = (~rest).trailingZeroBitCount
      rest &>>= UInt64(count)
      body(start + skipped, count)
      start += skipped + count
    }
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
    if !isSpread { (position + 1).moveInitialize(from: position, count: head.pointee.count - offset(of: place)) }
    position.initialize(to: content)
    head.pointee.mask |= 1 &<< UInt32(truncatingIfNeeded: place)
    head.pointee.count += 1
  }

  @inlinable
  func remove<Content>(from contents: UnsafeMutablePointer<Content>, at place: Int) -> Content {
    let position = contents + offset(of: place)
    let content = position.move()
    head.pointee.mask &= ~(1 &<< UInt32(truncatingIfNeeded: place))
    head.pointee.count -= 1
    if !isSpread { position.moveInitialize(from: position + 1, count: head.pointee.count - offset(of: place)) }
    return content
  }
}

/// A node's summary of its content in a trie.
///
/// - It has 16 bytes, so that it never spans two cache lines, and the content begins at an address that is aligned for
///   any value.
@usableFromInline
struct TrieHeader {
  /// The number of bits that select a place in a node.
  @inlinable @inline(__always) static var bits: Int { 5 }
  @inlinable @inline(__always) static var width: Int { 1 << bits }

  /// The place in a node that the bits of a hash select.
  @inlinable @inline(__always)
  static func place(in hash: UInt32, _ shift: Int) -> Int {
    Int(truncatingIfNeeded: hash &>> UInt32(truncatingIfNeeded: shift)) & (width - 1)
  }

  /// The capacity of a node for a number of contents: all places if that is more than a third of them.
  @inlinable @inline(__always)
  static func capacity(for count: Int, isGrowing: Bool) -> Int {
    count > width * 3 / 8 ? width : isGrowing ? count * 2 : count
  }

  /// The mask of the taken places, with a bit for each of the 32. Zero for a ``PlaceBag``.
  @usableFromInline var mask: UInt32 = 0

  @usableFromInline let isLeaf: Bool

  @usableFromInline let shortCapacity: UInt32
  @usableFromInline var shortCount: UInt32 = 0

  /// The number of slots or children for which there is room.
  @inlinable @inline(__always)
  var capacity: Int { Int(truncatingIfNeeded: shortCapacity) }

  /// The number of slots or children.
  @inlinable @inline(__always)
  var count: Int {
    get { Int(truncatingIfNeeded: shortCount) }
    set { shortCount = UInt32(truncatingIfNeeded: newValue) }
  }

  /// The number of taken places before a place.
  @inlinable @inline(never)
  func rank(of place: Int) -> Int {
    (mask & (1 &<< UInt32(truncatingIfNeeded: place) &- 1)).nonzeroBitCount
  }

  @inlinable
  init(capacity: Int, isLeaf: Bool) {
    shortCapacity = UInt32(truncatingIfNeeded: capacity)
    self.isLeaf = isLeaf
  }
}
