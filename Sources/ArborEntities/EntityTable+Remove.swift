extension EntityTable {
  /// Removes a record from the table, and from all indexes and manual orders.
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

  /// Removes the records with some ids.
  ///
  /// - Parameter ids: The ids of the records. An id without a record, or a repeated id, is ignored.
  /// - Returns: The removed records, in the order of the ids.
  @discardableResult
  public mutating func remove(ids: some Sequence<Element.ID>) -> [Element] {
    ids.compactMap { remove($0) }
  }

  /// Removes all records that a closure returns `true` for; removes none if it throws.
  ///
  /// - Parameter isUnwanted: Returns `true` for a record to remove. Called once for each record, in the order of the
  ///   table.
  public mutating func removeAll(where isUnwanted: (_ element: Element) throws -> Bool) rethrows {
    var slots: [Int] = []
    try store.records.visit { slot, record in
      if try isUnwanted(record.element) { slots.append(slot) }
    }
    if slots.count == count { return removeAll() }
    for slot in slots { remove(slot: slot, hash: RecordStore<Element>.hash(of: store[slot].element.id)) }
  }

  /// Removes all records.
  public mutating func removeAll() {
    guard !isEmpty else { return }
    self = EntityTable()
    version = ChangeStamp()
  }

  /// Returns a table of the records for which a closure returns `true`, with the same manual orders.
  ///
  /// - If the closure returns `true` for all records, the result is a copy with the same stamp.
  ///
  /// - Parameter isWanted: Returns `true` for a record to keep. Called once for each record, in the order of the table.
  public func filter(_ isWanted: (_ element: Element) throws -> Bool) rethrows -> EntityTable {
    var table = self
    try table.removeAll { try !isWanted($0) }
    return table
  }

  /// Removes the record in a slot, which is found by a hash.
  @inlinable
  @discardableResult
  mutating func remove(slot: Int, hash: UInt32) -> Element {
    let element = store.remove(slot, hash: hash)
    if !indexes.isEmpty { follow(removalOf: element, from: slot) }
    version = ChangeStamp()
    return element
  }
}
