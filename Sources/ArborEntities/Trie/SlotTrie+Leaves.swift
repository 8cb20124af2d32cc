extension SlotTrie {
  /// The leaves of a trie, in order. The branch above the leaves is kept, so that a search from the root is needed only
  /// at its end.
  @usableFromInline
  struct Leaves: IteratorProtocol {
    @usableFromInline let trie: SlotTrie
    @usableFromInline var branch: Node?

    /// The places of the branch's children that have not been returned yet.
    @usableFromInline var rest: UInt32 = 0

    /// The number of the first slot after the branch.
    @usableFromInline var end = 0

    @inlinable
    init(of trie: SlotTrie) {
      self.trie = trie
    }

    @inlinable
    mutating func next() -> Node? {
      guard rest != 0, let branch else { return nextBranch() }
      let place = rest.trailingZeroBitCount
      rest &= rest &- 1
      return branch.children[branch.offset(of: place)]
    }

    @inlinable
    mutating func nextBranch() -> Node? {
      guard let (leaf, start) = trie.leaf(from: end) else { return nil }
      guard trie.shift > 0 else {
        end = TrieHeader.width
        return leaf
      }
      var node = trie.root!
      var shift = trie.shift
      while shift > TrieHeader.bits {
        node = node.children[node.offset(of: (start &>> shift) & (TrieHeader.width - 1))]
        shift -= TrieHeader.bits
      }
      branch = node
      rest = node.head.pointee.mask & (node.head.pointee.mask &- 1)
      end = (start | (TrieHeader.width * TrieHeader.width - 1)) + 1
      return leaf
    }
  }

  /// Calls a body with each value, in the order of the slots.
  @inlinable
  func visit(_ body: (_ slot: Int, _ value: Value) throws -> Void) rethrows {
    var number = 0
    while let (leaf, start) = leaf(from: number) {
      var (mask, given) = (leaf.head.pointee.mask, 0)
      while mask != 0 {
        let place = mask.trailingZeroBitCount
        try body(start + place, leaf.slots[leaf.isSpread ? place : given])
        mask &= mask &- 1
        given += 1
      }
      number = start + TrieHeader.width
    }
  }

  /// All slots that are taken, in order.
  @inlinable
  var slots: [Int] {
    var slots: [Int] = []
    slots.reserveCapacity(count)
    visit { slot, _ in slots.append(slot) }
    return slots
  }
}
