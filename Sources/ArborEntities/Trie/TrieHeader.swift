/// A node's summary of its content in a trie.
@usableFromInline
struct TrieHeader {
  /// How many bits choose a place in a node.
  @inlinable @inline(__always) static var bits: Int { 5 }
  @inlinable @inline(__always) static var width: Int { 1 << bits }
  @inlinable @inline(__always) static var full: UInt32 { UInt32((UInt64(1) << UInt64(width)) - 1) }

  /// The place in a node that the bits of a hash choose.
  @inlinable @inline(__always)
  static func place(in hash: UInt32, _ shift: Int) -> Int {
    Int(truncatingIfNeeded: hash &>> UInt32(truncatingIfNeeded: shift)) & (width - 1)
  }

  /// Which of the 32 places are taken; their contents lie one behind the other. Not used by leaves that are bags.
  @usableFromInline var mask: UInt32 = 0

  /// Beside the mask, so that what follows the header begins where a reference may lie.
  @usableFromInline let isLeaf: Bool

  /// How many slots or children there are.
  @usableFromInline var count = 0

  /// How many there is room for.
  @usableFromInline let capacity: Int

  @inlinable
  init(capacity: Int, isLeaf: Bool) {
    self.capacity = capacity
    self.isLeaf = isLeaf
  }
}
