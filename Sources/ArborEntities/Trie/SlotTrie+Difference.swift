extension SlotTrie {
  /// Calls a body with the values of each slot in which this trie may differ from an older one, until it returns
  /// `false`. Shared nodes are skipped.
  ///
  /// - Returns: `false` if the body has returned `false`.
  @inlinable
  func differences(
    from older: SlotTrie,
    _ body: (_ slot: Int, _ old: UnsafePointer<Value>?, _ new: UnsafePointer<Value>?) -> Bool
  ) -> Bool {
    SlotTrie.differences(
      (older.root, older.shift),
      (root, shift),
      shift: max(shift, older.shift),
      start: 0,
      body
    )
  }

  @inlinable
  static func differences(
    _ old: (node: Node?, shift: Int),
    _ new: (node: Node?, shift: Int),
    shift: Int,
    start: Int,
    _ body: (_ slot: Int, _ old: UnsafePointer<Value>?, _ new: UnsafePointer<Value>?) -> Bool
  ) -> Bool {
    guard old.node !== new.node else { return true }
    if shift > 0, old.shift == shift, new.shift == shift, let old = old.node, let new = new.node,
      old.head.pointee.mask == new.head.pointee.mask
    {
      return differences(old, new, shift: shift, start: start, body)
    }
    for place in 0..<TrieHeader.width {
      let slot = start + (place &<< shift)
      if shift == 0 {
        let (old, new) = (value(in: old.node, at: place), value(in: new.node, at: place))
        if old != nil || new != nil, !body(slot, old, new) { return false }
      } else {
        let (old, new) = (child(of: old, at: place, shift), child(of: new, at: place, shift))
        guard differences(old, new, shift: shift - TrieHeader.bits, start: slot, body) else { return false }
      }
    }
    return true
  }

  /// Compares two branches with children at the same places, as after changes to records without insertions or
  /// removals.
  @inlinable
  static func differences(
    _ old: Node,
    _ new: Node,
    shift: Int,
    start: Int,
    _ body: (_ slot: Int, _ old: UnsafePointer<Value>?, _ new: UnsafePointer<Value>?) -> Bool
  ) -> Bool {
    var mask = new.head.pointee.mask
    while mask != 0 {
      let place = mask.trailingZeroBitCount
      let slot = start + (place &<< shift)
      mask &= mask &- 1
      let (before, after) = (old.offset(of: place), new.offset(of: place))
      guard old.address(ofChild: before) != new.address(ofChild: after) else { continue }
      let below = shift - TrieHeader.bits
      guard
        differences(
          (old.children[before], below),
          (new.children[after], below),
          shift: below,
          start: slot,
          body
        )
      else { return false }
    }
    return true
  }

  /// The subtree below a node at a place. If a trie is lower than that, it is the whole trie at the first place.
  @inlinable
  static func child(of node: (node: Node?, shift: Int), at place: Int, _ shift: Int) -> (node: Node?, shift: Int) {
    guard node.shift == shift else { return place == 0 ? node : (nil, node.shift) }
    guard let parent = node.node, parent.holds(place) else { return (nil, shift - TrieHeader.bits) }
    return (parent.children[parent.offset(of: place)], shift - TrieHeader.bits)
  }

  @inlinable
  static func value(in leaf: Node?, at place: Int) -> UnsafePointer<Value>? {
    guard let leaf, leaf.holds(place) else { return nil }
    return UnsafePointer(leaf.slots + leaf.offset(of: place))
  }
}
