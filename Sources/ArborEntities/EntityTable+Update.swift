internal import Arbor

extension EntityTable {
  /// Changes a record.
  ///
  /// ```swift
  /// try books.update(id) { $0.title = "Walden" }
  /// let isLent = try books.update(id) { book in … }
  /// ```
  ///
  /// - If the closure doesn't change the record, nothing counts as changed: all stamps stay the same. The record is
  ///   unchanged if all its bits are the same, or if it is equal by `==`. Without `==`, a record may count as changed
  ///   although its value is the same, because padding bits or the storage of a string can differ.
  /// - A record that is equal by `==` is stored in the table but reports no change: no observer is called, and no
  ///   storage saves the record until its next change.
  /// - Cost: a copy of the record is kept during the change, so a collection in it that the closure changes is copied.
  /// - Parameters:
  ///   - id: The id of the record.
  ///   - change: Changes the record, but not its id, and returns the result.
  /// - Throws: ``EntityError`` if there is no such record, or if the closure gave it a different id or the unique key
  ///   of another record. Errors of the closure are passed on. In that case, nothing has changed.
  /// - Returns: The result of the closure.
  @inlinable
  @discardableResult
  public mutating func update<Result>(
    _ id: Element.ID,
    _ change: (_ element: inout Element) throws -> Result
  ) throws -> Result {
    let hash = RecordStore<Element>.hash(of: id)
    guard let place = store.place(of: id, hash: hash) else { throw EntityError<Element>.missing(id) }
    return try update(place.record.pointee, in: place.slot, change)
  }

  /// Changes a record if it exists, like ``update(_:_:)``.
  ///
  /// - Parameters:
  ///   - id: The id of the record.
  ///   - change: Changes the record, but not its id, and returns the result. Not called if there is no such record.
  /// - Throws: The same errors as ``update(_:_:)``, except for a missing record.
  /// - Returns: The result of the closure; nil if there is no such record.
  @inlinable
  @discardableResult
  public mutating func updateIfExists<Result>(
    _ id: Element.ID,
    _ change: (_ element: inout Element) throws -> Result
  ) throws -> Result? {
    guard let place = store.place(of: id, hash: RecordStore<Element>.hash(of: id)) else { return nil }
    return try update(place.record.pointee, in: place.slot, change)
  }

  /// Changes the records with some ids, in the order of the ids: all or none.
  ///
  /// - Parameters:
  ///   - ids: The ids of the records. A record whose id is repeated is changed again. If there are no ids, nothing
  ///     changes.
  ///   - change: Changes a record, but not its id. Not called at all if one of the ids has no record.
  /// - Throws: The same errors as ``update(_:_:)``. Then no record has changed.
  @inlinable
  public mutating func update(
    ids: some Sequence<Element.ID>,
    _ change: (_ element: inout Element) throws -> Void
  ) throws {
    var slots: [Int] = []
    for id in ids {
      guard let slot = store.slot(of: id) else { throw EntityError<Element>.missing(id) }
      slots.append(slot)
    }
    try update(slots: slots, change)
  }

  /// Changes all records, in their order: all or none.
  ///
  /// - Unique keys are checked after all changes, so records may swap them.
  /// - Parameter change: Changes a record, but not its id. Called for each record.
  /// - Throws: The same errors as ``update(_:_:)``. Then no record has changed.
  @inlinable
  public mutating func updateAll(_ change: (_ element: inout Element) throws -> Void) throws {
    try update(slots: store.records.slots, change)
  }

  /// Replaces the record with an id, or appends it; nil removes the record. Changes nothing if the table refuses the
  /// record.
  @inlinable
  mutating func assign(_ element: Element?, to id: Element.ID) {
    guard let element else {
      remove(id)
      return
    }
    guard RecordStore<Element>.areSame(id, element.id), (try? upsert(element)) != nil else {
      return definition.reportRefusal()
    }
  }

  /// Changes a record where no error can be thrown, if the closure returns `true`.
  ///
  /// - Returns: The result of the closure; nil if there is no such record, or if the table refuses the changed record.
  @inlinable
  mutating func write(_ id: Element.ID, _ change: (_ element: inout Element) -> Bool) -> Bool? {
    guard let place = store.place(of: id, hash: RecordStore<Element>.hash(of: id)) else { return nil }
    let (slot, old) = (place.slot, place.record.pointee)
    var new = old.element
    guard change(&new) else { return false }
    guard (try? keep(new, after: old, in: slot)) != nil else {
      definition.reportRefusal()
      return nil
    }
    return true
  }

  @inlinable
  mutating func update<Result>(
    _ old: Record<Element>,
    in slot: Int,
    _ change: (inout Element) throws -> Result
  ) throws -> Result {
    var new = old.element
    let result = try change(&new)
    try keep(new, after: old, in: slot)
    return result
  }

  /// Stores a changed record in its slot, if its id is unchanged.
  @inlinable
  mutating func keep(_ new: Element, after old: Record<Element>, in slot: Int) throws(EntityError<Element>) {
    try EntityTable.requireSameID(old.element, new)
    try replace(old, with: new, in: slot)
  }

  @inlinable
  static func requireSameID(_ old: Element, _ new: Element) throws(EntityError<Element>) {
    guard RecordStore<Element>.areSame(old.id, new.id) else { throw .changedID(from: old.id, to: new.id) }
  }

  /// Replaces the record in a slot with another one that has the same id.
  @inlinable
  mutating func replace(
    _ old: Record<Element>,
    with new: Element,
    in slot: Int
  ) throws(EntityError<Element>) {
    guard !haveSameBits(old.element, new) else { return }
    if !indexes.isEmpty { try follow([RecordChange(slot, from: old.element, to: new)]) }
    put(new, into: slot, after: old, stamp: ChangeStamp())
  }

  /// Stores a record in a slot. A record that is equal to the previous one replaces it, but reports no change.
  @inlinable
  mutating func put(_ new: Element, into slot: Int, after old: Record<Element>, stamp: ChangeStamp) {
    let isEqual = definition.areEqual?(old.element, new) == true
    store.replace(slot, with: Record(new, stamp: isEqual ? old.stamp : stamp))
    if !isEqual { version = stamp }
  }

  /// Changes the record in each slot: all or none. A slot may occur more than once.
  @inlinable
  mutating func update(slots: [Int], _ change: (inout Element) throws -> Void) throws {
    try withTransaction(&self) { table in
      try table.change(each: slots) { table, slot, stamp in try table.change(slot, stamp: stamp, change) }
    }
  }

  /// Makes a change for each item, with one stamp, and then updates the indexes. If it throws, the caller restores the
  /// table.
  ///
  /// - Parameter change: Changes a record, and returns its change; nil if the record stays as it was.
  @inlinable
  mutating func change<Item>(
    each items: [Item],
    _ change: (_ table: inout EntityTable, _ item: Item, _ stamp: ChangeStamp) throws -> RecordChange<Element>?
  ) throws {
    let stamp = ChangeStamp()
    var changes: [RecordChange<Element>] = []
    for item in items {
      let change = try change(&self, item, stamp)
      if let change, !indexes.isEmpty { changes.append(change) }
    }
    if !changes.isEmpty { try follow(RecordChange.joined(changes)) }
  }

  /// Changes a record, but not the indexes, which the caller updates.
  ///
  /// - Returns: Nil if the record stays as it was.
  @inlinable
  mutating func change(
    _ slot: Int,
    stamp: ChangeStamp,
    _ change: (inout Element) throws -> Void
  ) throws -> RecordChange<Element>? {
    let old = store[slot]
    var new = old.element
    try change(&new)
    try EntityTable.requireSameID(old.element, new)
    guard !haveSameBits(old.element, new) else { return nil }
    put(new, into: slot, after: old, stamp: stamp)
    return RecordChange(slot, from: old.element, to: new)
  }
}
