/// A node's summary of its content in a trie.
///
/// - Of 16 bytes, so that it is never in two lines of the processor's cache, and the content begins where any value may
///   lie.
@usableFromInline
struct TrieHeader {
  /// The number of bits that choose a place in a node.
  @inlinable @inline(__always) static var bits: Int { 5 }
  @inlinable @inline(__always) static var width: Int { 1 << bits }
  @inlinable @inline(__always) static var full: UInt32 { UInt32((UInt64(1) << UInt64(width)) - 1) }

  /// The place in a node that the bits of a hash choose.
  @inlinable @inline(__always)
  static func place(in hash: UInt32, _ shift: Int) -> Int {
    Int(truncatingIfNeeded: hash &>> UInt32(truncatingIfNeeded: shift)) & (width - 1)
  }

  /// The room of a node for so much content; all places where that is more than a third of them.
  @inlinable @inline(__always)
  static func capacity(for count: Int, isGrowing: Bool) -> Int {
    count > width * 3 / 8 ? width : isGrowing ? count * 2 : count
  }

  /// The mask of the taken places, a bit for each of the 32. Zero for a ``PlaceBag``.
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

  /// The number of places that are taken before one.
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
