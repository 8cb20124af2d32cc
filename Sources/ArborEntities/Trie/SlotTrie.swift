/// A sparse array of values at numbered slots, in the order of the numbers. Copies share their common parts.
///
/// - It is a radix trie on the bits of the number, five per level. Empty parts take no memory.
/// - Reading and changing are O(log of the largest number), in base 32. A single owner changes the trie in place;
///   otherwise the nodes on the path are copied.
@usableFromInline
struct SlotTrie<Value: Sendable>: @unchecked Sendable {  // A node that has several owners is never changed.
  @usableFromInline typealias Node = TrieNode<Value>

  @usableFromInline var root: Node?

  /// The number of bits of a slot's number below those that select a child of the root: a multiple of five.
  @usableFromInline var shift = 0

  /// The number of slots that are taken.
  @usableFromInline var count = 0

  @inlinable
  init() {}

  @inlinable
  func covers(_ slot: Int) -> Bool {
    slot >= 0 && (shift + TrieHeader.bits >= 63 || slot >> (shift + TrieHeader.bits) == 0)
  }

  /// The pointer to the value of a slot; nil if the slot is empty. Valid until the next change.
  @inlinable
  func pointer(to slot: Int) -> UnsafeMutablePointer<Value>? {
    guard let root, covers(slot) else { return nil }
    var node = Unmanaged.passUnretained(root)
    var shift = shift
    while true {
      let place = (slot &>> shift) & (TrieHeader.width - 1)
      let found: (child: Unmanaged<Node>?, value: UnsafeMutablePointer<Value>?) = node._withUnsafeGuaranteedRef {
        node in
        guard node.holds(place) else { return (nil, nil) }
        let offset = node.offset(of: place)
        return shift == 0 ? (nil, node.slots + offset) : (.passUnretained(node.children[offset]), nil)
      }
      guard let child = found.child else { return found.value }
      node = child
      shift -= TrieHeader.bits
    }
  }

  /// The pointer to the value of a slot that is taken. Valid until the next change.
  @inlinable @inline(never)
  func pointer(toTaken slot: Int) -> UnsafeMutablePointer<Value> {
    let (leaf, place) = leaf(of: slot) { node, place in node.offset(of: place) }
    return leaf._withUnsafeGuaranteedRef { $0.slots + $0.offset(of: place) }
  }

  /// The pointer to the value of a slot, in a trie in which all slots up to this one are taken.
  ///
  /// - It reads only the path down, because the content of each place is at the place's own offset.
  @inlinable @inline(__always)
  func densePointer(to slot: Int) -> UnsafeMutablePointer<Value> {
    let (leaf, place) = leaf(of: slot) { _, place in place }
    return leaf._withUnsafeGuaranteedRef { $0.slots + place }
  }

  /// The leaf with a taken slot, and the slot's offset in it.
  @inlinable @inline(__always)
  func leaf(of slot: Int, _ offset: (Node, _ place: Int) -> Int) -> (leaf: Unmanaged<Node>, place: Int) {
    var node = Unmanaged.passUnretained(root.unsafelyUnwrapped)
    func descend(_ shift: Int) {
      let place = (slot &>> shift) & (TrieHeader.width - 1)
      node = node._withUnsafeGuaranteedRef { .passUnretained($0.children[offset($0, place)]) }
    }
    // Unrolled for the usual number of levels: up to a million slots.
    var high = shift
    while high > 3 * TrieHeader.bits {
      descend(high)
      high &-= TrieHeader.bits
    }
    if high >= 3 * TrieHeader.bits { descend(3 * TrieHeader.bits) }
    if high >= 2 * TrieHeader.bits { descend(2 * TrieHeader.bits) }
    if high >= TrieHeader.bits { descend(TrieHeader.bits) }
    return (node, slot & (TrieHeader.width - 1))
  }

  @inlinable
  subscript(slot: Int) -> Value? {
    pointer(to: slot)?.pointee
  }

  /// The pointer to the value of a taken slot, for changing it. Shared nodes on the path have been copied. Valid until
  /// the next change.
  @inlinable
  mutating func ownedPointer(to slot: Int) -> UnsafeMutablePointer<Value> {
    withUnsafeMutablePointer(to: &root!) { root in
      var place = root
      var shift = shift
      while true {
        Node.own(&place.pointee)
        let node = Unmanaged.passUnretained(place.pointee)
        let offset = node._withUnsafeGuaranteedRef { $0.offset(of: (slot &>> shift) & (TrieHeader.width - 1)) }
        if shift == 0 { return node._withUnsafeGuaranteedRef { $0.slots + offset } }
        place = node._withUnsafeGuaranteedRef { $0.children + offset }
        shift &-= TrieHeader.bits
      }
    }
  }

  /// Puts a value into an empty slot.
  @inlinable
  mutating func insert(_ value: Value, at slot: Int) {
    // If there are many slots, a leaf that begins with its first place will be full, because values are appended in
    // order.
    let room = count >= TrieHeader.width && slot & (TrieHeader.width - 1) == 0 ? TrieHeader.width : 2
    count += 1
    guard root != nil else {
      shift = 0
      while !covers(slot) { shift += TrieHeader.bits }
      root = SlotTrie.chain(to: value, at: slot, shift: shift, room: room)
      return
    }
    while !covers(slot) {
      let parent = Node.branch(capacity: 2)
      parent.insert(root!, at: 0)
      root = parent
      shift += TrieHeader.bits
    }
    withUnsafeMutablePointer(to: &root!) { root in
      var place = root
      var shift = shift
      while true {
        let index = (slot &>> shift) & (TrieHeader.width - 1)
        guard shift > 0, place.pointee.holds(index) else {
          Node.own(&place.pointee, room: 1)
          if shift == 0 {
            place.pointee.insert(value, at: index)
          } else {
            let chain = SlotTrie.chain(to: value, at: slot, shift: shift - TrieHeader.bits, room: room)
            place.pointee.insert(chain, at: index)
          }
          return
        }
        Node.own(&place.pointee)
        place = place.pointee.children + place.pointee.offset(of: index)
        shift -= TrieHeader.bits
      }
    }
  }

  /// Removes the value of a taken slot.
  @inlinable
  mutating func remove(_ slot: Int) -> Value {
    count -= 1
    let value = SlotTrie.remove(slot, from: &root!, shift: shift)
    if count == 0 { root = nil }
    return value
  }

  @inlinable
  static func remove(_ slot: Int, from node: inout Node, shift: Int) -> Value {
    Node.own(&node)
    let place = (slot &>> shift) & (TrieHeader.width - 1)
    guard shift > 0 else {
      let value = node.removeSlot(at: place)
      node = node.shrunk()
      return value
    }
    let offset = node.offset(of: place)
    let value = remove(slot, from: &node.children[offset], shift: shift - TrieHeader.bits)
    if node.children[offset].head.pointee.count == 0 { node.removeChild(at: place) }
    return value
  }

  /// A chain of nodes with only one value at its end.
  @inlinable
  static func chain(to value: Value, at slot: Int, shift: Int, room: Int) -> Node {
    var node = Node.leaf(capacity: room)
    node.insert(value, at: slot & (TrieHeader.width - 1))
    var height = TrieHeader.bits
    while height <= shift {
      let parent = Node.branch(capacity: 2)
      parent.insert(node, at: (slot >> height) & (TrieHeader.width - 1))
      node = parent
      height += TrieHeader.bits
    }
    return node
  }

  // MARK: Walking

  /// The first leaf with a value at or after a slot, and the number of its first place; nil if there is none.
  @inlinable
  func leaf(from slot: Int) -> (node: Node, start: Int)? {
    guard let root, covers(slot) else { return nil }
    return SlotTrie.leaf(from: slot, in: root, shift: shift, start: 0)
  }

  @inlinable
  static func leaf(from slot: Int, in node: Node, shift: Int, start: Int) -> (node: Node, start: Int)? {
    var place = slot <= start ? 0 : (slot - start) &>> shift
    let mask = UInt64(node.head.pointee.mask)
    if shift == 0 { return mask &>> UInt64(place) == 0 ? nil : (node, start) }
    while mask &>> UInt64(place) != 0 {
      place += (mask &>> UInt64(place)).trailingZeroBitCount
      let child = node.children[node.offset(of: place)]
      if let found = leaf(from: slot, in: child, shift: shift - TrieHeader.bits, start: start + (place &<< shift)) {
        return found
      }
      place += 1
    }
    return nil
  }

  /// The first taken slot at or after a number.
  @inlinable
  func slot(from number: Int) -> Int? {
    leaf(from: number).map { leaf, start in
      let place = max(number - start, 0)
      return start + place + (leaf.head.pointee.mask &>> UInt32(place)).trailingZeroBitCount
    }
  }

  /// The last taken slot before a number.
  @inlinable
  func slot(before number: Int) -> Int? {
    root.flatMap { SlotTrie.slot(before: number, in: $0, shift: shift, start: 0) }
  }

  @inlinable
  static func slot(before number: Int, in node: Node, shift: Int, start: Int) -> Int? {
    var mask = node.head.pointee.mask
    while mask != 0 {
      let place = 31 - mask.leadingZeroBitCount
      let first = start + (place &<< shift)
      if first < number {
        guard shift > 0 else { return first }
        let child = node.children[node.offset(of: place)]
        if let found = slot(before: number, in: child, shift: shift - TrieHeader.bits, start: first) { return found }
      }
      mask &= ~(1 &<< UInt32(place))
    }
    return nil
  }
}
