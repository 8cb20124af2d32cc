/// Finds the slots of records by the hashes of their ids. Copies share their common parts.
///
/// - It is a trie on the bits of the hash, five per level. Its leaves are small hash tables, which are copied and
///   searched faster than nodes with one hash each. If all hashes are equal, such a table grows without limit and is
///   searched linearly.
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

    /// The mark of a free place: its slot is a number that no slot has.
    @inlinable @inline(__always) static var none: Place { Place(hash: 0, slot: Int(UInt32.max)) }

    @inlinable @inline(__always) var isNone: Bool { slot == .max }
  }

  @usableFromInline typealias Node = TrieNode<Place>

  @usableFromInline var root: Node?

  @inlinable
  init() {}

  /// The first slot with a hash for which a closure returns `true`.
  @inlinable @inline(__always)
  func slot(_ hash: UInt32, where isWanted: (_ slot: Int) -> Bool) -> Int? {
    guard let root else { return nil }
    var node = Unmanaged.passUnretained(root)
    var shift = 0
    var place = TrieHeader.place(in: hash, shift)
    // A bag holds no place of a branch, so one check of its mask is enough.
    while node._withUnsafeGuaranteedRef({ $0.holds(place) }) {
      node = node._withUnsafeGuaranteedRef { .passUnretained($0.children[$0.offset(of: place)]) }
      shift &+= TrieHeader.bits
      place = TrieHeader.place(in: hash, shift)
    }
    return node._withUnsafeGuaranteedRef { $0.head.pointee.isLeaf ? $0.slot(hash, shift, where: isWanted) : nil }
  }

  /// Adds a slot that is not in the trie.
  @usableFromInline
  mutating func insert(_ slot: Int, hash: UInt32) {
    if root == nil { root = .bag(for: 1) }
    withUnsafeMutablePointer(to: &root!) { root in
      var place = root
      var shift = 0
      while true {
        if place.pointee.head.pointee.isLeaf {
          if place.pointee.head.pointee.count < Node.fullBag || shift >= UInt32.bitWidth {
            Node.ownBag(&place.pointee, shift, room: 1)
            place.pointee.insert(Place(hash: hash, slot: slot), shift)
            return
          }
          place.pointee = PlaceTrie.divide(place.pointee, shift)
        }
        let index = TrieHeader.place(in: hash, shift)
        if place.pointee.holds(index) {
          Node.own(&place.pointee)
        } else {
          Node.own(&place.pointee, room: 1)
          place.pointee.insert(Node.bag(for: 1), at: index)
        }
        place = place.pointee.children + place.pointee.offset(of: index)
        shift += TrieHeader.bits
      }
    }
  }

  /// Removes a slot that is in the trie.
  @usableFromInline
  mutating func remove(_ slot: Int, hash: UInt32) {
    guard root != nil else { return }
    // The hash of an id that contains an object may have changed.
    if !PlaceTrie.remove(slot, hash: hash, from: &root!, shift: 0) { PlaceTrie.remove(slot, from: &root!, shift: 0) }
    if root!.head.pointee.count == 0 { root = nil }
  }

  /// - Returns: `true` if the slot was found.
  private static func remove(_ slot: Int, hash: UInt32, from node: inout Node, shift: Int) -> Bool {
    guard !node.head.pointee.isLeaf else {
      guard node.index(of: slot, hash: hash, shift) != nil else { return false }
      Node.ownBag(&node, shift)
      // A copy may have another size.
      node.remove(at: node.index(of: slot, hash: hash, shift)!, shift)
      return true
    }
    let place = TrieHeader.place(in: hash, shift)
    guard node.holds(place) else { return false }
    Node.own(&node)
    let offset = node.offset(of: place)
    let isFound = remove(slot, hash: hash, from: &node.children[offset], shift: shift + TrieHeader.bits)
    if node.children[offset].head.pointee.count == 0 { node.removeChild(at: place) }
    return isFound
  }

  /// Searches all nodes for a slot and removes it.
  @discardableResult
  private static func remove(_ slot: Int, from node: inout Node, shift: Int) -> Bool {
    guard !node.head.pointee.isLeaf else {
      var hash: UInt32?
      node.visitPlaces { place in if place.slot == UInt32(truncatingIfNeeded: slot) { hash = place.hash } }
      guard let hash else { return false }
      return remove(slot, hash: hash, from: &node, shift: shift)
    }
    Node.own(&node)
    for place in 0..<TrieHeader.width where node.holds(place) {
      let offset = node.offset(of: place)
      guard remove(slot, from: &node.children[offset], shift: shift + TrieHeader.bits) else { continue }
      if node.children[offset].head.pointee.count == 0 { node.removeChild(at: place) }
      return true
    }
    return false
  }

  /// A branch with the places of a bag.
  private static func divide(_ bag: Node, _ shift: Int) -> Node {
    let branch = Node.branch(capacity: TrieHeader.width)
    bag.visitPlaces { place in
      let child = TrieHeader.place(in: place.hash, shift)
      if !branch.holds(child) { branch.insert(Node.bag(for: 1), at: child) }
      let offset = branch.offset(of: child)
      Node.ownBag(&branch.children[offset], shift + TrieHeader.bits, room: 1)
      branch.children[offset].insert(place, shift + TrieHeader.bits)
    }
    return branch
  }
}

extension PlaceTrie {
  /// Makes a trie of many places at once: they are sorted by their hashes, and each node is made once, in its final
  /// size.
  ///
  /// - The nodes of one level are next to each other in memory, in the order they are found.
  ///
  /// - Parameter meet: Called with each two slots whose hashes are equal.
  @inlinable
  init(of unsorted: [Place], meet: (_ slot: Int, _ other: Int) -> Void) {
    guard !unsorted.isEmpty else { return }
    var (places, other) = (unsorted, unsorted)
    root = places.withUnsafeMutableBufferPointer { places in
      other.withUnsafeMutableBufferPointer { other in
        PlaceTrie.node(of: places, sparing: other, shift: 0, meet)
      }
    }
  }

  /// A node with all places of a buffer, which is sorted into another one on the way.
  @inlinable
  static func node(
    of places: UnsafeMutableBufferPointer<Place>,
    sparing other: UnsafeMutableBufferPointer<Place>,
    shift: Int,
    _ meet: (Int, Int) -> Void
  ) -> Node {
    guard places.count > Node.fullBag, shift < UInt32.bitWidth else {
      let bag = Node.bag(for: places.count)
      for place in places { bag.insert(place, shift) { meet($0, Int(place.slot)) } }
      return bag
    }
    return withUnsafeTemporaryAllocation(of: Int.self, capacity: TrieHeader.width + 1) { ends in
      // The ends of each child's places; until all are placed, the next free index.
      ends.initialize(repeating: 0)
      for place in places { ends[TrieHeader.place(in: place.hash, shift) + 1] += 1 }
      for child in 1...TrieHeader.width { ends[child] += ends[child - 1] }
      for place in places {
        let child = TrieHeader.place(in: place.hash, shift)
        other[ends[child]] = place
        ends[child] += 1
      }
      var start = 0
      let taken = ends.indices.dropLast().filter { child in
        defer { start = ends[child] }
        return ends[child] > start
      }
      let branch = Node.branch(capacity: TrieHeader.capacity(for: taken.count, isGrowing: false))
      start = 0
      for child in taken {
        let range = start..<ends[child]
        let part = UnsafeMutableBufferPointer(rebasing: other[range])
        branch.insert(
          node(of: part, sparing: .init(rebasing: places[range]), shift: shift + TrieHeader.bits, meet),
          at: child
        )
        start = ends[child]
      }
      return branch
    }
  }
}
