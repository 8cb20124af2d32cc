extension EntityTable {
  /// Gives records other ids, all at once: two may exchange theirs, one may take that of another one that gets a new one.
  ///
  /// ```swift
  /// try books.rename([draft: saved]) { $0.id = $1 }
  /// try books.rename([a: b, b: a]) { $0.id = $1 }
  /// ```
  ///
  /// - Records keep their places, in the table and in manual orders. What other records say of the old ids is not changed.
  /// - Throws: ``EntityError`` if there is no record with one of the old ids, if two records would have the same, or if the closure
  ///   gives one another id than it was told; and what the closure throws. Then nothing has changed.
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
      for (old, new) in names {
        guard let slot = table.store.slot(of: old) else { throw EntityError<Element>.missing(old) }
        guard old != new else { continue }
        var element = table.store[slot].element
        try rename(&element, new)
        guard element.id == new else { throw EntityError<Element>.notRenamed(old, to: new) }
        changes.append(RecordChange(slot, from: table.store[slot].element, to: element))
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
}
