internal import Arbor

extension EntityTable: DifferenceCodable where Element: Codable {
  package func isSameVersion(as other: EntityTable) -> Bool { stamp == other.stamp }

  /// Returns the difference from an older version, in an encodable form.
  ///
  /// - It is `nil` if records were inserted before others, as when a removal is undone. It is also `nil` if the number
  ///   of differing records and parts of manual orders is more than half the number of records.
  /// - Records differ if their stamps differ. A change that `==` does not see is not encoded.
  /// - Cost: O(d) for d differences, times the depth of the trie; O(n) for each manual order that changed.
  package func codableDifference(from older: EntityTable) -> CodableEntityDifference<Element>? {
    var difference = CodableEntityDifference<Element>()
    guard !isSameVersion(as: older) else { return difference }
    var room = count / 2
    var (removed, inserted): (Set<Int>, [Int]) = ([], [])
    let isShort = store.records.differences(from: older.store.records) { slot, old, new in
      if let old, let new, old.pointee.stamp == new.pointee.stamp,
        RecordStore<Element>.areSame(old.pointee.element.id, new.pointee.element.id)
      {
        return true
      }
      room -= 1
      guard room >= 0 else { return false }
      if new == nil { removed.insert(slot) }
      if old == nil { inserted.append(slot) }
      difference.add(from: old?.pointee.element, to: new?.pointee.element)
      return true
    }
    guard isShort, areLast(inserted),
      let orders = orderParts(from: older, without: removed, atMost: room)
    else { return nil }
    difference.orders = orders
    return difference
  }

  /// Returns `true` if slots, in ascending order, are those of the last records.
  private func areLast(_ slots: [Int]) -> Bool {
    var end = store.end
    for slot in slots.reversed() {
      guard store.records.slot(before: end) == slot else { return false }
      end = slot
    }
    return true
  }

  /// The parts of each manual order that changed; `nil` if there are more than a limit.
  ///
  /// - Parameter removed: The slots of the removed records.
  private func orderParts(
    from older: EntityTable,
    without removed: Set<Int>,
    atMost limit: Int
  ) -> [String: [OrderPart<RecordReference<Element>>]]? {
    var orders: [String: [OrderPart<RecordReference<Element>>]] = [:]
    var room = limit
    for (number, maintenance) in definition.indexes.enumerated() {
      guard let name = maintenance.order, indexes[number] !== older.indexes[number] else { continue }
      // All records except the removed and inserted ones have the same slots in both tables.
      let before = IndexBox<ManualPlaces>.content(of: older.indexes[number]).slots.filter { !removed.contains($0) }
      let after = IndexBox<ManualPlaces>.content(of: indexes[number]).slots
      guard before != after else { continue }
      guard let parts = ManualPlaces.parts(of: after, from: before, atMost: room) else { return nil }
      room -= parts.count
      orders[name] = parts.map { part in part.map { RecordReference(to: store[$0].element) } }
    }
    return orders
  }

  /// Turns a table that is equal to the older version into the newer one, either completely or not at all.
  ///
  /// - All records change at once, so they may swap ids and unique keys; the indexes follow.
  /// - Throws: `DecodingError` if the difference names a record that is missing or named twice, or a manual order or
  ///   position that does not exist. It is also thrown if a record would get the id or the unique key of another one.
  ///   In that case, nothing has changed.
  package mutating func apply(_ difference: CodableEntityDifference<Element>) throws {
    do {
      try withTransaction(&self) { table in
        try table.applyRecords(of: difference)
        for name in difference.orders.keys.sorted() { try table.apply(difference.orders[name]!, toOrder: name) }
      }
    } catch let error as EntityError<Element> {
      throw EntityTable.damage(at: [], "\(error)", error)
    }
  }

  private mutating func applyRecords(of difference: CodableEntityDifference<Element>) throws {
    guard difference.recordCount > 0 else { return }
    // Not in the middle, because the indexes don't know the new slots until the end.
    if store.end + difference.inserted.count > RecordStore<Element>.limit { renumber() }
    // All records are found before any is changed, because a record may get the id of another one.
    var known: Set<Int> = []
    let removed = try difference.removed.map { try slot(of: $0.id, in: &known) }
    let replaced = try difference.replaced.map { try slot(of: $0.old.id, in: &known) }
    let changed = try difference.changed.map { try slot(of: $0.id, in: &known) }
    let stamp = ChangeStamp()
    var changes: [RecordChange<Element>] = []
    for slot in removed { remove(slot: slot, hash: RecordStore<Element>.hash(of: store[slot].element.id)) }
    for slot in replaced { store.forget(slot, store[slot].element.id) }
    for (slot, replacement) in zip(replaced, difference.replaced) {
      try requireAbsence(of: replacement.new.id)
      changes.append(RecordChange(slot, from: store[slot].element, to: replacement.new))
      store.rename(slot, to: Record(replacement.new, stamp: stamp))
    }
    for (slot, new) in zip(changed, difference.changed) {
      let old = store[slot]
      changes.append(RecordChange(slot, from: old.element, to: new))
      put(new, into: slot, after: old, stamp: stamp)
    }
    for new in difference.inserted {
      try requireAbsence(of: new.id)
      let slot = store.append(Record(new, stamp: stamp), hash: RecordStore<Element>.hash(of: new.id))
      changes.append(RecordChange(slot, from: nil, to: new))
    }
    if !indexes.isEmpty, !changes.isEmpty { try follow(changes) }
    if !replaced.isEmpty || !difference.inserted.isEmpty { version = stamp }
  }

  /// Returns the slot of a record, and adds it to the named slots.
  private func slot(of id: Element.ID, in known: inout Set<Int>) throws(EntityError<Element>) -> Int {
    guard let slot = store.slot(of: id) else { throw .missing(id) }
    guard known.insert(slot).inserted else { throw .exists(id) }
    return slot
  }

  private func requireAbsence(of id: Element.ID) throws(EntityError<Element>) {
    try RecordStore<Element>.requireEqualToItself(id)
    guard store.slot(of: id) == nil else { throw .exists(id) }
  }

  private mutating func apply(_ parts: [OrderPart<RecordReference<Element>>], toOrder name: String) throws {
    guard let number = definition.indexes.firstIndex(where: { $0.order == name }) else {
      throw EntityTable.damage(at: [], "\(Element.self) has no manual order \"\(name)\"")
    }
    let places = IndexBox<ManualPlaces>.content(of: indexes[number])
    var put: Set<Int> = []
    let slots = try parts.map { part in
      try part.map { reference in
        guard let slot = store.slot(of: reference.id) else { throw EntityError<Element>.missing(reference.id) }
        guard !places.contains(slot), put.insert(slot).inserted else {
          throw EntityError<Element>.alreadyInOrder(reference.id)
        }
        return slot
      }
    }
    if let problem = places.problem(with: slots) {
      throw EntityTable.damage(at: [], "the order \"\(name)\" \(problem)")
    }
    IndexBox<ManualPlaces>.change(&indexes[number]) { $0.rearrange(slots) }
    version = ChangeStamp()
  }
}

extension CodableEntityDifference {
  /// Adds the change of a slot.
  fileprivate mutating func add(from old: Element?, to new: Element?) {
    switch (old, new) {
    case (let old?, let new?) where RecordStore<Element>.areSame(old.id, new.id): changed.append(new)
    case (let old?, let new?): replaced.append(Replacement(old: RecordReference(to: old), new: new))
    case (let old?, nil): removed.append(RecordReference(to: old))
    case (nil, let new?): inserted.append(new)
    case (nil, nil): break
    }
  }
}
