/// Finds the slots of records by the hashes of their ids; shares with its copies what they have in common.
///
/// - A trie on the bits of the hash, five a level, whose leaves are small bags: they are copied and searched faster than nodes
///   with one hash each. Of hashes that are all equal a bag grows as long as it must, and is searched one by one.
@usableFromInline
struct PlaceTrie: @unchecked Sendable {  // A node that has several owners is never changed.
  /// A slot and the hash of the id of the record there.
  @usableFromInline
  struct Place: Sendable {
    @usableFromInline let hash: UInt32
    @usableFromInline let slot: UInt32

    @inlinable
    init(hash: UInt32, slot: Int) {
      self.hash = hash
      self.slot = UInt32(truncatingIfNeeded: slot)
    }
  }

  @usableFromInline typealias Node = TrieNode<Place>

  /// How many places a bag has before it is divided.
  @usableFromInline static var bagSize: Int { 64 }

  @usableFromInline var root: Node?

  @inlinable
  init() {}

  /// The first slot with a hash of which a closure says that it is the one.
  @inlinable
  func slot(_ hash: UInt32, where isWanted: (_ slot: Int) -> Bool) -> Int? {
    guard let root else { return nil }
    var node = Unmanaged.passUnretained(root)
    var shift: Int = 0
    while !node._withUnsafeGuaranteedRef({ $0.head.pointee.isLeaf }) {
      let place = TrieHeader.place(in: hash, shift)
      let child: Unmanaged<Node>? = node._withUnsafeGuaranteedRef { node in
        node.holds(place) ? .passUnretained(node.children[node.offset(of: place)]) : nil
      }
      guard let child else { return nil }
      node = child
      shift += TrieHeader.bits
    }
    return node._withUnsafeGuaranteedRef { bag in
      let (places, count) = (bag.slots, bag.head.pointee.count)
      for index in 0..<count where places[index].hash == hash && isWanted(Int(places[index].slot)) {
        return Int(places[index].slot)
      }
      return nil
    }
  }

  /// Adds a slot, which is not in.
  @inlinable
  mutating func insert(_ slot: Int, hash: UInt32) {
    if root == nil { root = .leaf(capacity: 2) }
    withUnsafeMutablePointer(to: &root!) { root in
      var place = root
      var shift = 0
      while true {
        if place.pointee.head.pointee.isLeaf {
          if place.pointee.head.pointee.count < PlaceTrie.bagSize || shift >= UInt32.bitWidth {
            Node.own(&place.pointee, room: 1)
            let bag = place.pointee
            (bag.slots + bag.head.pointee.count).initialize(to: Place(hash: hash, slot: slot))
            bag.head.pointee.count += 1
            return
          }
          place.pointee = PlaceTrie.divide(place.pointee, shift)
        }
        let index = TrieHeader.place(in: hash, shift)
        if place.pointee.holds(index) {
          Node.own(&place.pointee)
        } else {
          Node.own(&place.pointee, room: 1)
          place.pointee.insert(Node.leaf(capacity: 2), at: index)
        }
        place = place.pointee.children + place.pointee.offset(of: index)
        shift += TrieHeader.bits
      }
    }
  }

  /// Takes out a slot, which is in.
  @inlinable
  mutating func remove(_ slot: Int, hash: UInt32) {
    guard root != nil else { return }
    // The hash of an id that is not a value may have changed since.
    if !PlaceTrie.remove(slot, hash: hash, from: &root!, shift: 0) { PlaceTrie.remove(slot, from: &root!) }
    if root!.head.pointee.count == 0 { root = nil }
  }

  /// - Returns: Whether it was found.
  @usableFromInline
  static func remove(_ slot: Int, hash: UInt32, from node: inout Node, shift: Int) -> Bool {
    guard !node.head.pointee.isLeaf else { return remove(slot, fromBag: &node) }
    let place = TrieHeader.place(in: hash, shift)
    guard node.holds(place) else { return false }
    Node.own(&node)
    let offset = node.offset(of: place)
    let isFound = remove(slot, hash: hash, from: &node.children[offset], shift: shift + TrieHeader.bits)
    if node.children[offset].head.pointee.count == 0 { node.removeChild(at: place) }
    return isFound
  }

  /// Looks for a slot everywhere.
  @usableFromInline
  @discardableResult
  static func remove(_ slot: Int, from node: inout Node) -> Bool {
    guard !node.head.pointee.isLeaf else { return remove(slot, fromBag: &node) }
    Node.own(&node)
    for place in 0..<TrieHeader.width where node.holds(place) {
      let offset = node.offset(of: place)
      guard remove(slot, from: &node.children[offset]) else { continue }
      if node.children[offset].head.pointee.count == 0 { node.removeChild(at: place) }
      return true
    }
    return false
  }

  private static func remove(_ slot: Int, fromBag bag: inout Node) -> Bool {
    let count = bag.head.pointee.count
    guard let index = (0..<count).first(where: { bag.slots[$0].slot == UInt32(truncatingIfNeeded: slot) }) else {
      return false
    }
    Node.own(&bag)
    bag.slots[index] = bag.slots[count - 1]
    bag.head.pointee.count = count - 1
    return true
  }

  /// A branch with the places of a bag.
  @usableFromInline
  static func divide(_ bag: Node, _ shift: Int) -> Node {
    let branch = Node.branch(capacity: TrieHeader.width)
    for index in 0..<bag.head.pointee.count {
      let place = bag.slots[index]
      let child = TrieHeader.place(in: place.hash, shift)
      if !branch.holds(child) { branch.insert(Node.leaf(capacity: 4), at: child) }
      let offset = branch.offset(of: child)
      Node.own(&branch.children[offset], room: 1)
      let part = branch.children[offset]
      (part.slots + part.head.pointee.count).initialize(to: place)
      part.head.pointee.count += 1
    }
    return branch
  }
}
