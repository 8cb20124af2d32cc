/// A leaf of a trie of places: a small hash table with linear probing.
///
/// - The step from the leaf to the place needs no search, so that finding a record reads as little memory as possible.
@usableFromInline typealias PlaceBag = TrieNode<PlaceTrie.Place>

extension PlaceBag {
  /// The capacity of the largest bag, except for bags of equal hashes.
  @inlinable @inline(__always) static var bagSize: Int { 256 }

  /// The number of places in a full bag, which is divided before it takes another place.
  @inlinable @inline(__always) static var fullBag: Int { bagSize / 4 * 3 }

  /// An empty bag with room for a number of places. Its capacity is a power of two, of which three quarters are used.
  @usableFromInline
  static func bag(for count: Int) -> PlaceBag {
    var capacity = 4
    while capacity / 4 * 3 < count { capacity *= 2 }
    let bag = PlaceBag.leaf(capacity: capacity)
    bag.slots.initialize(repeating: .none, count: capacity)
    return bag
  }

  /// Ensures that a bag has one owner, and room.
  static func ownBag(_ bag: inout PlaceBag, _ shift: Int, room: Int = 0) {
    let (needed, capacity) = (bag.head.pointee.count + room, bag.head.pointee.capacity)
    let isLargeEnough = needed <= capacity / 4 * 3
    if isKnownUniquelyReferenced(&bag), isLargeEnough { return }
    if isLargeEnough, needed * 4 > capacity || capacity == 4 {
      let copy = PlaceBag.leaf(capacity: capacity)
      copy.slots.initialize(from: bag.slots, count: capacity)
      copy.head.pointee.count = bag.head.pointee.count
      bag = copy
    } else {
      let copy = PlaceBag.bag(for: needed)
      bag.visitPlaces { place in copy.insert(place, shift) }
      bag = copy
    }
  }

  /// Calls a body with each place that is taken.
  func visitPlaces(_ body: (PlaceTrie.Place) -> Void) {
    // An unsafe collection of the memory would not keep the bag: the optimizer may release it before the collection is
    // read.
    withExtendedLifetime(self) {
      for index in 0..<head.pointee.capacity where !slots[index].isNone { body(slots[index]) }
    }
  }

  /// The first slot with a hash for which a closure returns `true`.
  @inlinable @inline(__always)
  func slot(_ hash: UInt32, _ shift: Int, where isWanted: (_ slot: Int) -> Bool) -> Int? {
    let home = Int(truncatingIfNeeded: hash &>> UInt32(truncatingIfNeeded: shift))
    let last = head.pointee.capacity &- 1
    // A predictable branch, for bags of half a million records or more: the home place is fetched before the header
    // arrives.
    let usual = 64
    if last == usual &- 1 {
      let place = slots[home & (usual &- 1)]
      if place.hash == hash, !place.isNone, isWanted(Int(place.slot)) { return Int(place.slot) }
    }
    var index = home & last
    while true {
      let place = slots[index]
      if place.isNone { return nil }
      if place.hash == hash, isWanted(Int(place.slot)) { return Int(place.slot) }
      index = (index &+ 1) & last
    }
  }

  /// The index of the place with a slot, whose hash is given; nil if it is not in the bag.
  func index(of slot: Int, hash: UInt32, _ shift: Int) -> Int? {
    let last = head.pointee.capacity - 1
    var index = home(of: hash, shift)
    while !slots[index].isNone {
      if slots[index].slot == UInt32(truncatingIfNeeded: slot) { return index }
      index = (index + 1) & last
    }
    return nil
  }

  /// The index where the place with a hash lies if no other place is there.
  @inlinable @inline(__always)
  func home(of hash: UInt32, _ shift: Int) -> Int {
    Int(truncatingIfNeeded: hash &>> UInt32(truncatingIfNeeded: shift)) & (head.pointee.capacity - 1)
  }

  // MARK: Changes, of a bag with one owner and room

  /// Adds a place.
  ///
  /// - Parameter meet: Called with each slot that has the same hash.
  @inlinable
  func insert(_ place: PlaceTrie.Place, _ shift: Int, meet: (_ slot: Int) -> Void = { _ in }) {
    let last = head.pointee.capacity - 1
    var index = home(of: place.hash, shift)
    while !slots[index].isNone {
      if slots[index].hash == place.hash { meet(Int(slots[index].slot)) }
      index = (index + 1) & last
    }
    slots[index] = place
    head.pointee.count += 1
  }

  /// Removes the place at an index, and moves up the places after it that could not be found otherwise.
  func remove(at index: Int, _ shift: Int) {
    let last = head.pointee.capacity - 1
    var (free, index) = (index, (index + 1) & last)
    while !slots[index].isNone {
      let home = home(of: slots[index].hash, shift)
      if (index - home) & last >= (index - free) & last {
        slots[free] = slots[index]
        free = index
      }
      index = (index + 1) & last
    }
    slots[free] = .none
    head.pointee.count -= 1
  }
}
