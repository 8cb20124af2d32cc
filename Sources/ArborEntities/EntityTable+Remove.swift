extension EntityTable {
  /// Takes a record out; it leaves all indexes and orders.
  ///
  /// - Parameter id: The id of the record.
  /// - Returns: The record; nil if there was none with this id.
  @inlinable
  @discardableResult
  public mutating func remove(_ id: Element.ID) -> Element? {
    let hash = RecordStore<Element>.hash(of: id)
    guard let slot = store.slot(of: id, hash: hash) else { return nil }
    return remove(slot: slot, hash: hash)
  }

  /// Takes records out.
  ///
  /// - Parameter ids: The ids of the records. An id without a record, or one that comes again, is passed over.
  /// - Returns: The records that were there, in the order of the ids.
  @discardableResult
  public mutating func remove(ids: some Sequence<Element.ID>) -> [Element] {
    ids.compactMap { remove($0) }
  }

  /// Takes out all records of which a closure says so; none if it throws.
  ///
  /// - Parameter isUnwanted: Returns `true` for a record to take out. Called once for each, in the order of the table.
  public mutating func removeAll(where isUnwanted: (_ element: Element) throws -> Bool) rethrows {
    var slots: [Int] = []
    try store.records.visit { slot, record in
      if try isUnwanted(record.element) { slots.append(slot) }
    }
    if slots.count == count { return removeAll() }
    for slot in slots { remove(slot: slot, hash: RecordStore<Element>.hash(of: store[slot].element.id)) }
  }

  /// Takes out all records.
  public mutating func removeAll() {
    guard !isEmpty else { return }
    self = EntityTable()
    version = ChangeStamp()
  }

  /// The table without the records of which a closure says that they are not wanted, with the same orders. It is this very table
  /// if all are.
  ///
  /// - Parameter isWanted: Returns `true` for a record to keep. Called once for each, in the order of the table.
  public func filter(_ isWanted: (_ element: Element) throws -> Bool) rethrows -> EntityTable {
    var table = self
    try table.removeAll { try !isWanted($0) }
    return table
  }

  /// Takes out the record in a slot, which is found by a hash.
  @inlinable
  @discardableResult
  mutating func remove(slot: Int, hash: UInt32) -> Element {
    let element = store.remove(slot, hash: hash)
    if !indexes.isEmpty { follow(removalOf: element, from: slot) }
    version = ChangeStamp()
    return element
  }
}
