internal import Arbor

extension EntityTable: DifferenceCodable where Element: Codable {
  package func isSameVersion(as other: EntityTable) -> Bool { stamp == other.stamp }

  /// Returns the difference from an older version, in a form that is encoded.
  ///
  /// - `nil` if records came in front of others, as when a removal is undone; or if what differs, counted in records and
  ///   in parts of manual orders, is more than half as much as there are records.
  /// - Records differ if their stamps do: of a change that `==` does not see nothing is encoded.
  /// - Cost: O(what differs), times the depth of the trie; O(n) for each manual order that changed.
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

  /// Returns `true` if slots, which are in order, are those of the last records.
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
  /// - Parameter removed: The slots of the records that went.
  private func orderParts(
    from older: EntityTable,
    without removed: Set<Int>,
    atMost limit: Int
  ) -> [String: [OrderPart<RecordReference<Element>>]]? {
    var orders: [String: [OrderPart<RecordReference<Element>>]] = [:]
    var room = limit
    for (number, maintenance) in definition.indexes.enumerated() {
      guard let name = maintenance.order, indexes[number] !== older.indexes[number] else { continue }
      // All records but those that went and came have the same slots in both tables.
      let before = IndexBox<ManualPlaces>.content(of: older.indexes[number]).slots.filter { !removed.contains($0) }
      let after = IndexBox<ManualPlaces>.content(of: indexes[number]).slots
      guard before != after else { continue }
      guard let parts = ManualPlaces.parts(of: after, from: before, atMost: room) else { return nil }
      room -= parts.count
      orders[name] = parts.map { part in part.map { RecordReference(to: store[$0].element) } }
    }
    return orders
  }
}

extension CodableEntityDifference {
  /// Adds what has become of a slot.
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
