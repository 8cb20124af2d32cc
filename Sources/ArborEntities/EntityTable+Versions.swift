package import Arbor

extension EntityTable: VersionedTable {
  package func visitDifferences(
    from older: EntityTable,
    atMost limit: Int,
    listing length: Int,
    _ body: (TableDifference) -> Bool
  ) -> Bool {
    guard stamp != older.stamp else { return true }
    var firstMoved: Int?
    guard visitRecords(from: older, atMost: limit, firstMoved: &firstMoved, body),
      visitOrder(of: older, from: firstMoved, atMost: limit, listing: length, body)
    else { return false }
    return definition.indexes.indices.allSatisfy { number in
      guard let name = definition.indexes[number].order, indexes[number] !== older.indexes[number] else { return true }
      return visitManualOrder(name, number, of: older, atMost: limit, listing: length, body)
    }
  }

  /// - Parameter firstMoved: The first slot that holds a record with another slot in the other version.
  private func visitRecords(
    from older: EntityTable,
    atMost limit: Int,
    firstMoved: inout Int?,
    _ body: (TableDifference) -> Bool
  ) -> Bool {
    var looked = 0
    return store.records.differences(from: older.store.records) { slot, old, new in
      looked += 1
      guard looked <= limit else { return false }
      let (before, after) = (old?.pointee, new?.pointee)
      if let before, let after, before.element.id == after.element.id {
        return before.stamp == after.stamp || body(.changed(before.element, after.element))
      }
      if let before {
        let now = store.find(before.element.id)
        if now != nil { firstMoved = firstMoved ?? slot }
        if now?.stamp != before.stamp, !body(.changed(before.element, now?.element)) { return false }
      }
      guard let after else { return true }
      guard older.contains(id: after.element.id) else { return body(.changed(nil, after.element)) }
      // A change to a record that had another slot is reported at that slot.
      firstMoved = firstMoved ?? slot
      return true
    }
  }

  private func visitOrder(
    of older: EntityTable,
    from slot: Int?,
    atMost limit: Int,
    listing length: Int,
    _ body: (TableDifference) -> Bool
  ) -> Bool {
    guard let slot else { return true }
    var before = older.commonIDs(with: self, from: slot)
    var after = commonIDs(with: older, from: slot)
    for _ in 0..<limit {
      guard let old = before.next(), let new = after.next() else { return true }
      guard old != new else { continue }
      let rest = Swift.max(length - 1, 0)
      let ids = (before: [old] + before.prefix(rest), after: [new] + after.prefix(rest))
      let isWhole = ids.before.count < length && ids.after.count < length
      let end = isWhole ? zip(ids.before.reversed(), ids.after.reversed()).prefix { $0 == $1 }.count : 0
      return body(.order(before: ids.before.dropLast(end), after: ids.after.dropLast(end)))
    }
    return false
  }

  /// The ids of the records from a slot on that another table also contains, in order.
  private func commonIDs(with other: EntityTable, from slot: Int) -> UnfoldSequence<Element.ID, Int> {
    sequence(state: slot) { next in
      while let found = store.records.slot(from: next) {
        next = found + 1
        let id = store[found].element.id
        if other.contains(id: id) { return id }
      }
      return nil
    }
  }

  private func visitManualOrder(
    _ name: String,
    _ number: Int,
    of older: EntityTable,
    atMost limit: Int,
    listing length: Int,
    _ body: (TableDifference) -> Bool
  ) -> Bool {
    let old = IndexBox<ManualPlaces>.content(of: older.indexes[number])
    let new = IndexBox<ManualPlaces>.content(of: indexes[number])
    func isSame(_ place: Int, _ other: Int) -> Bool {
      older.id(at: place, in: old) == id(at: other, in: new)
    }
    let shorter = Swift.min(old.count, new.count)
    var start = 0
    while start < shorter, isSame(start, start) {
      start += 1
      guard start <= limit else { return false }
    }
    guard start < Swift.max(old.count, new.count) else { return true }
    var end = 0
    while end < shorter - start, end < limit, isSame(old.count - 1 - end, new.count - 1 - end) { end += 1 }
    return body(
      .manualOrder(
        name,
        position: start,
        before: (start..<(old.count - end)).prefix(length).map { older.id(at: $0, in: old) },
        after: (start..<(new.count - end)).prefix(length).map { id(at: $0, in: new) }
      )
    )
  }

  private func id(at position: Int, in places: ManualPlaces) -> Element.ID {
    store[places.slot(at: position)].element.id
  }
}

extension TableDifference {
  fileprivate static func changed<Element: Identifiable>(_ before: Element?, _ after: Element?) -> TableDifference {
    .record(id: (before ?? after)!.id, before: before, after: after)
  }
}
