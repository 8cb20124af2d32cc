/// Records in the order of insertion, found by their ids. Copies share their common parts.
///
/// - A record keeps its slot as long as it is in the store; slots are never reused. Everything else refers to records
///   by slot.
@usableFromInline
struct RecordStore<Element: Identifiable & Sendable>: Sendable where Element.ID: Sendable {
  @usableFromInline var records = SlotTrie<Record<Element>>()
  @usableFromInline var places = PlaceTrie()

  /// The slot after all slots that were ever taken.
  @usableFromInline var end = 0

  /// The number of slots that can be taken before they are renumbered.
  @usableFromInline static var limit: Int { Int(UInt32.max) }

  @inlinable
  init() {}

  @inlinable
  var count: Int { records.count }

  @inlinable
  static func hash(of id: Element.ID) -> UInt32 {
    UInt32(truncatingIfNeeded: id.hashValue)
  }

  /// `true` if two ids are equal and are found at the same place: some ids are equal by `==` but have different hashes.
  @inlinable
  static func areSame(_ left: Element.ID, _ right: Element.ID) -> Bool {
    left == right && (haveSameBits(left, right) || hash(of: left) == hash(of: right))
  }

  /// Throws if an id is not equal to itself: its record would never be found, and could be inserted any number of
  /// times.
  @inlinable
  static func requireEqualToItself(_ id: Element.ID) throws(EntityError<Element>) {
    guard id == id else { throw .notEqualToItself(EntityError<Element>.text(of: id)) }
  }

  @inlinable
  func slot(of id: Element.ID) -> Int? {
    slot(of: id, hash: RecordStore.hash(of: id))
  }

  @inlinable
  func slot(of id: Element.ID, hash: UInt32) -> Int? {
    place(of: id, hash: hash)?.slot
  }

  /// The slot of the record with an id, and a pointer to the record. Valid until the next change.
  @inlinable
  func place(
    of id: Element.ID,
    hash: UInt32
  ) -> (slot: Int, record: UnsafeMutablePointer<Record<Element>>)? {
    var found: UnsafeMutablePointer<Record<Element>>?
    let slot = places.slot(hash) { slot in
      // A change reads the headers on the way next, so they are fetched together with the record.
      let record = records.pointer(toTaken: slot)
      guard record.pointee.element.id == id else { return false }
      found = record
      return true
    }
    guard let slot, let found else { return nil }
    return (slot, found)
  }

  /// The pointer to the record in a slot that is taken. Valid until the next change.
  @inlinable
  func pointer(to slot: Int) -> UnsafeMutablePointer<Record<Element>> {
    records.count == end ? records.densePointer(to: slot) : records.pointer(toTaken: slot)
  }

  /// The record in a slot that is taken.
  @inlinable
  subscript(slot: Int) -> Record<Element> {
    pointer(to: slot).pointee
  }

  @inlinable
  func find(_ id: Element.ID) -> Record<Element>? {
    var found: UnsafeMutablePointer<Record<Element>>?
    _ = places.slot(RecordStore.hash(of: id)) { slot in
      let record = pointer(to: slot)
      guard record.pointee.element.id == id else { return false }
      found = record
      return true
    }
    return found?.pointee
  }

  /// Appends a record whose id is not in the store.
  ///
  /// - Returns: The record's slot.
  @inlinable
  @discardableResult
  mutating func append(_ record: Record<Element>, hash: UInt32) -> Int {
    if end == RecordStore.limit { renumber() }
    let slot = end
    records.insert(record, at: slot)
    places.insert(slot, hash: hash)
    end += 1
    return slot
  }

  /// Renumbers the slots from the first one. A table whose slots are used elsewhere does this itself, before the limit.
  @usableFromInline
  mutating func renumber() {
    var store = RecordStore()
    // Records of one store cannot conflict with each other.
    try? store.fill(records.slots.lazy.map { [self] in self[$0] })
    self = store
  }

  /// Replaces the record in a slot with another one that has the same id.
  @inlinable
  mutating func replace(_ slot: Int, with record: Record<Element>) {
    records.ownedPointer(to: slot).pointee = record
  }

  @inlinable
  @discardableResult
  mutating func remove(_ slot: Int) -> Element {
    remove(slot, hash: RecordStore.hash(of: self[slot].element.id))
  }

  /// Removes the record in a slot, which is found by a hash.
  @inlinable
  @discardableResult
  mutating func remove(_ slot: Int, hash: UInt32) -> Element {
    places.remove(slot, hash: hash)
    return records.remove(slot).element
  }

  /// Removes the way from a record's id to its slot, which is kept for ``rename(_:to:)``.
  mutating func forget(_ slot: Int, _ id: Element.ID) {
    places.remove(slot, hash: RecordStore.hash(of: id))
  }

  /// Stores a record with another id in a slot whose own id was forgotten.
  mutating func rename(_ slot: Int, to record: Record<Element>) {
    places.insert(slot, hash: RecordStore.hash(of: record.element.id))
    records.ownedPointer(to: slot).pointee = record
  }

  /// Adds records to an empty store.
  ///
  /// - Throws: If an id is not equal to itself, or at the first repeated id. The caller must then discard the store.
  @inlinable
  mutating func fill(_ content: some Sequence<Record<Element>>) throws(EntityError<Element>) {
    var places: [PlaceTrie.Place] = []
    places.reserveCapacity(content.underestimatedCount)
    for record in content {
      let id = record.element.id
      // Check first: otherwise a million such ids with one hash would all be compared with each other.
      try RecordStore.requireEqualToItself(id)
      records.insert(record, at: end)
      places.append(PlaceTrie.Place(hash: RecordStore.hash(of: id), slot: end))
      end += 1
    }
    var twice: Int?
    self.places = PlaceTrie(of: places) { first, second in
      guard self[first].element.id == self[second].element.id else { return }
      twice = min(twice ?? .max, max(first, second))
    }
    if let twice { throw .exists(self[twice].element.id) }
  }
}

/// A record in its slot, with the stamp of its last change.
@usableFromInline
struct Record<Element: Sendable>: Sendable {
  @usableFromInline var stamp: ChangeStamp
  @usableFromInline var element: Element

  @inlinable
  init(_ element: Element, stamp: ChangeStamp) {
    self.stamp = stamp
    self.element = element
  }
}

/// `true` if two values are the same bit by bit. While both are kept, that should mean the same value: a change of a
/// collection in one of them copies it.
@inlinable
func haveSameBits<Value>(_ left: Value, _ right: Value) -> Bool {
  withUnsafeBytes(of: left) { left in
    withUnsafeBytes(of: right) { right in
      var offset = 0
      while offset + 8 <= left.count {
        if left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
          != right.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        {
          return false
        }
        offset += 8
      }
      while offset < left.count {
        if left[offset] != right[offset] { return false }
        offset += 1
      }
      return true
    }
  }
}
