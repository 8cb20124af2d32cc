internal import Arbor

extension EntityTable {
  /// Makes a table with records, in their order.
  ///
  /// - Cost: O(n); less than inserting them one by one.
  /// - Parameter elements: The records. If there are none, the table is empty.
  /// - Throws: ``EntityError`` if two records have the same id or the same unique key, or if an id is not equal to
  ///   itself.
  @inlinable
  public init(_ elements: some Sequence<Element>) throws(EntityError<Element>) {
    self.init()
    try insert(contentsOf: elements)
  }

  /// Inserts a record at the end.
  ///
  /// - Parameter element: The record.
  /// - Throws: ``EntityError`` if another record has its id or its unique key, or if the id is not equal to itself. In
  ///   that case, nothing has changed.
  @inlinable
  public mutating func insert(_ element: Element) throws(EntityError<Element>) {
    guard try insertIfAbsent(element) else { throw .exists(element.id) }
  }

  /// Inserts a record at the end, unless there is already one with its id.
  ///
  /// - Parameter element: The record.
  /// - Throws: ``EntityError`` if another record has its unique key, or if the id is not equal to itself. In that case,
  ///   nothing has changed.
  /// - Returns: `true` if the record was inserted; `false` if there is already one with its id, which stays unchanged.
  @inlinable
  @discardableResult
  public mutating func insertIfAbsent(_ element: Element) throws(EntityError<Element>) -> Bool {
    let hash = RecordStore<Element>.hash(of: element.id)
    guard store.slot(of: element.id, hash: hash) == nil else { return false }
    try append(element, hash: hash)
    return true
  }

  /// Inserts records at the end, in their order: all or none.
  ///
  /// - Parameter elements: The records. If there are none, nothing changes.
  /// - Throws: ``EntityError`` if one of them has the id or the unique key of another record, or if an id is not equal
  ///   to itself. In that case, nothing has changed.
  @inlinable
  public mutating func insert(contentsOf elements: some Sequence<Element>) throws(EntityError<Element>) {
    if isEmpty { return try fill(with: elements) }
    try withTransaction(&self) { table throws(EntityError<Element>) in
      for element in elements { try table.insert(element) }
    }
  }

  /// Replaces the record with the same id, or inserts the record at the end if there is none.
  ///
  /// - Parameter element: The new record.
  /// - Throws: ``EntityError`` if another record has its unique key, or if the id is not equal to itself. In that case,
  ///   nothing has changed.
  @inlinable
  public mutating func upsert(_ element: Element) throws(EntityError<Element>) {
    let hash = RecordStore<Element>.hash(of: element.id)
    guard let slot = store.slot(of: element.id, hash: hash) else { return try append(element, hash: hash) }
    try replace(store[slot], with: element, in: slot)
  }

  /// Merges a record into the one with the same id, or inserts it at the end if there is none.
  ///
  /// ```swift
  /// try books.upsert(fetched) { known, fetched in known.title = fetched.title }
  /// ```
  ///
  /// - Parameters:
  ///   - element: The record to merge or insert.
  ///   - merge: Changes the record in the table according to the new one. Not called if no record has the id.
  /// - Throws: The error of the closure, or ``EntityError`` if it gave the record another id, if another record has its
  ///   unique key, or if the id is not equal to itself. In that case, nothing has changed.
  @inlinable
  public mutating func upsert(
    _ element: Element,
    merge: (_ known: inout Element, _ element: Element) throws -> Void
  ) throws {
    let hash = RecordStore<Element>.hash(of: element.id)
    guard let slot = store.slot(of: element.id, hash: hash) else { return try append(element, hash: hash) }
    try update(store[slot], in: slot) { try merge(&$0, element) }
  }

  /// Merges records into the existing ones with the same ids, and inserts the others at the end: all or none.
  ///
  /// - Unique keys are checked after all changes, so records may swap them.
  /// - Parameters:
  ///   - elements: The records to merge or insert. If two have the same id, the second is merged into the first.
  ///   - merge: Changes the record in the table according to the new one. If you omit it, the new record replaces the
  ///     old one.
  /// - Throws: The same errors as ``upsert(_:merge:)``. Then no record has changed.
  @inlinable
  public mutating func upsert(
    contentsOf elements: some Sequence<Element>,
    merge: (_ known: inout Element, _ element: Element) throws -> Void = { $0 = $1 }
  ) throws {
    let elements = Array(elements)
    try withTransaction(&self) { table in
      // Renumber before the changes, because the indexes don't know the new slots until the end.
      if table.store.end + elements.count > RecordStore<Element>.limit { table.renumber() }
      try table.change(each: elements) { table, element, stamp in
        let hash = RecordStore<Element>.hash(of: element.id)
        guard let slot = table.store.slot(of: element.id, hash: hash) else {
          try RecordStore<Element>.requireEqualToItself(element.id)
          table.version = stamp
          return RecordChange(table.store.append(Record(element, stamp: stamp), hash: hash), from: nil, to: element)
        }
        return try table.change(slot, stamp: stamp) { try merge(&$0, element) }
      }
    }
  }

  /// Merges the records of another table into this one: all or none.
  ///
  /// - It works like ``upsert(contentsOf:merge:)``. The manual orders of the other table are not merged.
  ///
  /// - Parameters:
  ///   - other: The table whose records are merged. If it is empty, nothing changes.
  ///   - merge: Changes the record in this table according to the one in the other table. If you omit it, the other
  ///     record replaces it.
  /// - Throws: The same errors as ``upsert(_:merge:)``. Then no record has changed.
  @inlinable
  public mutating func merge(
    _ other: EntityTable,
    _ merge: (_ known: inout Element, _ element: Element) throws -> Void = { $0 = $1 }
  ) throws {
    guard !other.isEmpty else { return }
    if isEmpty, stamp == ChangeStamp(unchanged: ()) {
      // A table that was never used shares the storage of `other`.
      self = other
      clearOrders()
    } else {
      try upsert(contentsOf: other, merge: merge)
    }
  }

  /// Removes all records from all manual orders.
  @usableFromInline
  mutating func clearOrders() {
    for (number, maintenance) in definition.indexes.enumerated() where maintenance.order != nil {
      guard IndexBox<ManualPlaces>.content(of: indexes[number]).count > 0 else { continue }
      indexes[number] = maintenance.empty
      version = ChangeStamp()
    }
  }

  /// Appends a record whose id is not in the table.
  @inlinable
  mutating func append(_ element: Element, hash: UInt32) throws(EntityError<Element>) {
    try RecordStore<Element>.requireEqualToItself(element.id)
    if store.end == RecordStore<Element>.limit { renumber() }
    if !indexes.isEmpty { try follow([RecordChange(store.end, from: nil, to: element)]) }
    version = ChangeStamp()
    store.append(Record(element, stamp: version), hash: hash)
  }

  /// Adds records to an empty table, and finds all their places at once.
  @inlinable
  mutating func fill(with elements: some Sequence<Element>) throws(EntityError<Element>) {
    let stamp = ChangeStamp()
    var table = self
    // Start with the first slot, even if there were others before.
    table.store = RecordStore()
    try table.store.fill(elements.lazy.map { Record($0, stamp: stamp) })
    if table.isEmpty { return }
    try table.buildIndexes()
    table.version = stamp
    self = table
  }

  /// Renumbers the slots from the first one, when no more slot numbers are left.
  @usableFromInline
  mutating func renumber() {
    var table = EntityTable()
    table.store = store
    table.store.renumber()
    // Records of one table cannot conflict with each other.
    try! table.buildIndexes()
    for (number, maintenance) in definition.indexes.enumerated() where maintenance.order != nil {
      let slots = ids(inOrder: number).map { table.store.slot(of: $0)! }
      IndexBox<ManualPlaces>.change(&table.indexes[number]) { $0.append(slots) }
    }
    table.version = version
    self = table
  }
}

extension EntityTable: ExpressibleByArrayLiteral {
  /// Makes a table with the records of a literal, in their order.
  ///
  /// - The program stops if two records have the same id or the same unique key, or if an id is not equal to itself.
  ///   For records that are not literals, use ``init(_:)``, which throws instead.
  public init(arrayLiteral elements: Element...) {
    do {
      try self.init(elements)
    } catch {
      Misuse.impossibleLiteral.stop(about: "\(error)")
    }
  }
}
