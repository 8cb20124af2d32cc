extension SlotTrie {
  /// The leaves of a trie, in order. The branch above the leaves is kept, so that only its end costs a way from the root.
  @usableFromInline
  struct Leaves: IteratorProtocol {
    @usableFromInline let trie: SlotTrie
    @usableFromInline var branch: Node?

    /// How many children of the branch were given.
    @usableFromInline var given = 0

    /// The number of the first slot behind the branch.
    @usableFromInline var end = 0

    @inlinable
    init(of trie: SlotTrie) {
      self.trie = trie
    }

    @inlinable
    mutating func next() -> Node? {
      if let branch, given < branch.head.pointee.count {
        given += 1
        return branch.children[given - 1]
      }
      return nextBranch()
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
      given = 1
      end = (start | (TrieHeader.width * TrieHeader.width - 1)) + 1
      return node.children[0]
    }
  }

  /// Calls a body with each value, in the order of the slots.
  @inlinable
  func visit(_ body: (_ slot: Int, _ value: Value) throws -> Void) rethrows {
    var number = 0
    while let (leaf, start) = leaf(from: number) {
      var mask = leaf.head.pointee.mask
      for offset in 0..<leaf.head.pointee.count {
        try body(start + mask.trailingZeroBitCount, leaf.slots[offset])
        mask &= mask &- 1
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
