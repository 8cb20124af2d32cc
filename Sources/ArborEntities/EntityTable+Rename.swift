extension EntityTable {
  /// Gives records new ids, all at once, so that they can swap ids or take an id that becomes free.
  ///
  /// ```swift
  /// try books.rename([draft: saved]) { $0.id = $1 }
  /// try books.rename([a: b, b: a]) { $0.id = $1 }
  /// ```
  ///
  /// - Records keep their places in the table and in manual orders. References to the old ids in other records stay as
  ///   they are.
  /// - Throws: ``EntityError`` if no record has one of the old ids, if two records would share an id, or if a new id is
  ///   not equal to itself. It is also thrown if the closure assigns an id other than the given one. Errors of the
  ///   closure are passed on. In all these cases the table is unchanged.
  /// - Parameters:
  ///   - names: The new id for each of the old ones.
  ///   - rename: Gives a record its new id.
  public mutating func rename(
    _ names: [Element.ID: Element.ID],
    by rename: (_ element: inout Element, _ id: Element.ID) throws -> Void
  ) throws {
    try withTransaction(&self) { table in
      let stamp = ChangeStamp()
      var changes: [RecordChange<Element>] = []
      var slots: [(slot: Int, id: Element.ID)] = []
      try EntityTable.refuse(names) { old, _ in table.contains(id: old) ? nil : .missing(old) }
      try EntityTable.refuse(names) { _, new in new == new ? nil : .notEqualToItself(EntityError<Element>.text(of: new))
      }
      for (old, new) in names where old != new { slots.append((table.store.slot(of: old)!, new)) }
      // In the order of the table, regardless of the order of the dictionary.
      for (slot, id) in slots.sorted(by: { $0.slot < $1.slot }) {
        let old = table.store[slot].element
        var element = old
        try rename(&element, id)
        guard element.id == id else { throw EntityError<Element>.notRenamed(old.id, to: id) }
        changes.append(RecordChange(slot, from: old, to: element))
      }
      for change in changes { table.store.forget(change.slot, change.old!.id) }
      for change in changes {
        let id = change.new!.id
        guard table.store.slot(of: id) == nil else { throw EntityError<Element>.exists(id) }
        table.store.rename(change.slot, to: Record(change.new!, stamp: stamp))
      }
      guard !changes.isEmpty else { return }
      try table.follow(changes)
      table.version = stamp
    }
  }

  /// Throws the error of the first wrong name. The errors are ordered by text, because a dictionary's order differs in
  /// each process.
  private static func refuse(
    _ names: [Element.ID: Element.ID],
    _ error: (_ old: Element.ID, _ new: Element.ID) -> EntityError<Element>?
  ) throws(EntityError<Element>) {
    let errors = names.compactMap { error($0.key, $0.value) }
    if let first = errors.min(by: { $0.description < $1.description }) { throw first }
  }
}
