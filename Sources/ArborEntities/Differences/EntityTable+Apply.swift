extension EntityTable where Element: Codable {
  /// Turns a table that is equal to the older version into the newer one: wholly or not at all.
  ///
  /// - The records are changed all at once, so that they may exchange ids and unique keys; the indexes follow.
  /// - Throws: `DecodingError` if the difference names a record that is not there, or one twice; if a record would have an
  ///   id or a key that another one has; if there is no such manual order or position. Then nothing has changed.
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
    // Not in the middle: until the end the indexes do not know the slots.
    if store.end + difference.inserted.count > RecordStore<Element>.limit { renumber() }
    // All are found before any is changed, for a record may get the id of another one.
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

  /// Returns the slot of a record, and adds it to those that were named.
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

extension ManualPlaces {
  /// The reason why parts cannot keep their positions of this order; `nil` if they can.
  fileprivate func problem(with parts: [OrderPart<Int>]) -> String? {
    let kept = parts.compactMap { part in
      if case .kept(let positions) = part { positions } else { nil }
    }
    var end = 0
    for positions in kept.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if positions.upperBound > count { return "of \(count) records has no positions \(positions)" }
      if positions.lowerBound < end { return "would keep some of the positions \(positions) twice" }
      end = positions.upperBound
    }
    return nil
  }
}
