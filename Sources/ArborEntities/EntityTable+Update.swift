internal import Arbor

extension EntityTable {
  /// Changes a record.
  ///
  /// ```swift
  /// try books.update(id) { $0.title = "Walden" }
  /// let isLent = try books.update(id) { book in … }
  /// ```
  ///
  /// - A change that leaves it as it was is none: all stamps stay. It is as it was if all its bits are, or if `==` says so: for sure
  ///   only where there is one, for bits between the parts of a value, and texts in other places, may differ where it does not.
  /// - A record that is equal by `==` is stored in the table but reports no change: no observer is called, and no storage
  ///   saves the record until its next change.
  /// - Cost: A copy of the record is kept meanwhile, so a collection inside of it that the closure changes is copied.
  /// - Parameters:
  ///   - id: The id of the record.
  ///   - change: Changes the record, but not its id; makes the result.
  /// - Throws: ``EntityError`` if there is no such record, the closure gave it another id, or a key that another one has and only
  ///   one may have; and what the closure throws. Then nothing has changed.
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

  /// Changes a record if it is there, as ``update(_:_:)``.
  ///
  /// - Parameters:
  ///   - id: The id of the record.
  ///   - change: Changes the record, but not its id; makes the result. Not called if there is no such record.
  /// - Throws: As ``update(_:_:)``, but for a record that is missing.
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

  /// Changes some records, in the order of their ids, as ``update(_:_:)``: all or none.
  ///
  /// - Parameters:
  ///   - ids: The ids of the records. A record whose id comes twice is changed twice; without ids, nothing changes.
  ///   - change: Changes a record, but not its id. Not called at all if one of the ids has no record.
  /// - Throws: As ``update(_:_:)``; then no record has changed.
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

  /// Changes all records, in their order, as ``update(_:_:)``: all or none.
  ///
  /// - Keys of which there may be one are judged by how all records are in the end.
  /// - Parameter change: Changes a record, but not its id. Called for each record.
  /// - Throws: As ``update(_:_:)``; then no record has changed.
  @inlinable
  public mutating func updateAll(_ change: (_ element: inout Element) throws -> Void) throws {
    try update(slots: store.records.slots, change)
  }

  /// Puts a record in the place of the one with its id, or at the end; with nil takes that one out. Changes nothing if the table
  /// refuses the record.
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

  /// Changes a record where no error can be thrown, if the closure says that the change takes place.
  ///
  /// - Returns: The result of the closure; nil if there is no such record, or the table refuses the changed one.
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

  /// Puts a changed record into its slot, if its id is the same as before.
  @inlinable
  mutating func keep(_ new: Element, after old: Record<Element>, in slot: Int) throws(EntityError<Element>) {
    try EntityTable.requireSameID(old.element, new)
    try replace(old, with: new, in: slot)
  }

  @inlinable
  static func requireSameID(_ old: Element, _ new: Element) throws(EntityError<Element>) {
    guard RecordStore<Element>.areSame(old.id, new.id) else { throw .changedID(from: old.id, to: new.id) }
  }

  /// Puts another record with the same id into the slot of one.
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

  /// Puts a record into a slot. A record that is equal to the one before replaces it, but reports no change.
  @inlinable
  mutating func put(_ new: Element, into slot: Int, after old: Record<Element>, stamp: ChangeStamp) {
    let isEqual = definition.areEqual?(old.element, new) == true
    store.replace(slot, with: Record(new, stamp: isEqual ? old.stamp : stamp))
    if !isEqual { version = stamp }
  }

  /// Changes the record in each slot: all or none. A slot may be named more than once.
  @inlinable
  mutating func update(slots: [Int], _ change: (inout Element) throws -> Void) throws {
    try withTransaction(&self) { table in
      try table.change(each: slots) { table, slot, stamp in try table.change(slot, stamp: stamp, change) }
    }
  }

  /// Makes a change for each item, with one stamp, and then updates the indexes. If it throws, the caller restores the table.
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

  /// Changes a record, and leaves it to the caller to let the indexes follow.
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
