internal import Arbor

extension EntityTable {
  /// Updates the indexes for changes, which take place together or not at all.
  ///
  /// - Throws: If a key would not be unique in the end. The caller must then discard the indexes, unless there is only
  ///   one change.
  @inlinable
  mutating func follow(_ changes: [RecordChange<Element>]) throws(EntityError<Element>) {
    if changes.count == 1 {
      for number in indexes.indices { try check(changes[0], in: number) }
    }
    for number in indexes.indices {
      let maintenance = definition.indexes[number]
      guard maintenance.conflict != nil, changes.count > 1 else {
        for change in changes { maintenance.change(&indexes[number], change.slot, change.old, change.new) }
        continue
      }
      // First all removals, so that records may swap their keys.
      for change in changes { maintenance.change(&indexes[number], change.slot, change.old, nil) }
      for change in changes {
        try check(change, in: number)
        maintenance.change(&indexes[number], change.slot, nil, change.new)
      }
    }
  }

  /// Updates the indexes for a removed record.
  @inlinable
  mutating func follow(removalOf element: Element, from slot: Int) {
    for number in indexes.indices { definition.indexes[number].change(&indexes[number], slot, element, nil) }
  }

  @inlinable
  func check(_ change: RecordChange<Element>, in number: Int) throws(EntityError<Element>) {
    guard let new = change.new,
      let conflict = definition.indexes[number].conflict?(indexes[number], change.slot, new)
    else { return }
    throw .duplicateKey(conflict.key, of: new.id, owner: store[conflict.slot].element.id)
  }

  /// Builds the indexes of a table none of whose records is indexed yet.
  @usableFromInline
  mutating func buildIndexes() throws(EntityError<Element>) {
    guard !indexes.isEmpty else { return }
    var changes: [RecordChange<Element>] = []
    changes.reserveCapacity(count)
    store.records.visit { slot, record in changes.append(RecordChange(slot, from: nil, to: record.element)) }
    for (number, maintenance) in definition.indexes.enumerated() {
      if let build = maintenance.build {
        indexes[number] = build(store.records)
      } else {
        for change in changes {
          try check(change, in: number)
          maintenance.change(&indexes[number], change.slot, nil, change.new)
        }
      }
    }
  }

  /// The position of an index among the declared ones. An index that is not declared stops the program.
  func place(of index: some EntityIndex<Element>) -> Int {
    let identity = index.maintenance.identity
    guard let place = definition.indexes.firstIndex(where: { $0.identity == identity }) else {
      Misuse.undeclaredIndex.stop(about: "\(Element.self)")
    }
    return place
  }

  func storage(of index: some EntityIndex<Element>) -> IndexStorage {
    indexes[place(of: index)]
  }

  func content<Content: Sendable>(of index: some EntityIndex<Element>, _: Content.Type) -> Content {
    IndexBox<Content>.content(of: storage(of: index))
  }
}

/// The change to a record, for the indexes.
@usableFromInline
struct RecordChange<Element> {
  @usableFromInline let slot: Int

  /// Nil for an inserted record.
  @usableFromInline let old: Element?

  /// Nil for a removed record.
  @usableFromInline let new: Element?

  @inlinable
  init(_ slot: Int, from old: Element?, to new: Element?) {
    self.slot = slot
    self.old = old
    self.new = new
  }

  /// The same changes, with one change for each slot: from its first value to its last.
  @usableFromInline
  static func joined(_ changes: [RecordChange]) -> [RecordChange] {
    var numbers: [Int: Int] = [:]
    var joined: [RecordChange] = []
    for change in changes {
      if let number = numbers[change.slot] {
        joined[number] = RecordChange(change.slot, from: joined[number].old, to: change.new)
      } else {
        numbers[change.slot] = joined.count
        joined.append(change)
      }
    }
    return joined
  }
}
