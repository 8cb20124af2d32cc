internal import Arbor

extension EntityTable {
  /// Makes a table of records, in their order.
  ///
  /// - Cost: O(n); less than putting them in one by one.
  /// - Parameter elements: The records. Without any, the table is empty.
  /// - Throws: ``EntityError`` if two records have the same id, or a key of which there may be one, or an id is not
  ///   equal to itself.
  @inlinable
  public init(_ elements: some Sequence<Element>) throws(EntityError<Element>) {
    self.init()
    try insert(contentsOf: elements)
  }

  /// Puts a record in, at the end.
  ///
  /// - Parameter element: The record.
  /// - Throws: ``EntityError`` if there is one with its id already, or with a key of which there may be one, or the id is not equal
  ///   to itself. Then nothing has changed.
  @inlinable
  public mutating func insert(_ element: Element) throws(EntityError<Element>) {
    guard try insertIfAbsent(element) else { throw .exists(element.id) }
  }

  /// Puts a record in, at the end, unless there is one with its id.
  ///
  /// - Parameter element: The record.
  /// - Throws: ``EntityError`` if there is one with a key of which there may be one, or the id is not equal to itself.
  ///   Then nothing has changed.
  /// - Returns: `true` if it was put in; `false` if there is one with its id, which stays as it is.
  @inlinable
  @discardableResult
  public mutating func insertIfAbsent(_ element: Element) throws(EntityError<Element>) -> Bool {
    let hash = RecordStore<Element>.hash(of: element.id)
    guard store.slot(of: element.id, hash: hash) == nil else { return false }
    try append(element, hash: hash)
    return true
  }

  /// Puts records in, at the end, in their order: all or none.
  ///
  /// - Parameter elements: The records. Without any, nothing changes.
  /// - Throws: ``EntityError`` if there is one with the id of one of them already, or two of them have the same, or a key of which
  ///   there may be one, or an id is not equal to itself.
  @inlinable
  public mutating func insert(contentsOf elements: some Sequence<Element>) throws(EntityError<Element>) {
    if isEmpty { return try fill(with: elements) }
    try withTransaction(&self) { table throws(EntityError<Element>) in
      for element in elements { try table.insert(element) }
    }
  }

  /// Puts a record in the place of the one with its id; at the end if there is none.
  ///
  /// - Parameter element: The record to put in.
  /// - Throws: ``EntityError`` if there is another record with a key of which there may be one, or the id is not equal to itself.
  ///   Then nothing has changed.
  @inlinable
  public mutating func upsert(_ element: Element) throws(EntityError<Element>) {
    let hash = RecordStore<Element>.hash(of: element.id)
    guard let slot = store.slot(of: element.id, hash: hash) else { return try append(element, hash: hash) }
    try replace(store[slot], with: element, in: slot)
  }

  /// Merges a record into the one with its id; puts it in, at the end, if there is none.
  ///
  /// ```swift
  /// try books.upsert(fetched) { known, fetched in known.title = fetched.title }
  /// ```
  ///
  /// - Parameters:
  ///   - element: The record to merge or to put in.
  ///   - merge: Changes the known record according to the given one. Not called if no record has the id.
  /// - Throws: The error of the closure, or ``EntityError`` if it has given the record another id, or there is another one with a
  ///   key of which there may be one, or the id is not equal to itself. Then nothing has changed.
  @inlinable
  public mutating func upsert(
    _ element: Element,
    merge: (_ known: inout Element, _ element: Element) throws -> Void
  ) throws {
    let hash = RecordStore<Element>.hash(of: element.id)
    guard let slot = store.slot(of: element.id, hash: hash) else { return try append(element, hash: hash) }
    try update(store[slot], in: slot) { try merge(&$0, element) }
  }

  /// Merges records into those with their ids, as ``upsert(_:merge:)``: all or none.
  ///
  /// - Keys of which there may be one are judged by how all records are in the end.
  /// - Parameters:
  ///   - elements: The records to merge or to put in. If two have the same id, the second is merged into the first.
  ///   - merge: Changes the known record according to the given one. Without it, the given one replaces the known one.
  /// - Throws: As ``upsert(_:merge:)``; then no record has changed.
  @inlinable
  public mutating func upsert(
    contentsOf elements: some Sequence<Element>,
    merge: (_ known: inout Element, _ element: Element) throws -> Void = { $0 = $1 }
  ) throws {
    let elements = Array(elements)
    try withTransaction(&self) { table in
      // Before the changes, because the indexes know the new slots only at the end.
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

  /// Merges the records of another table into those of this one, as ``upsert(contentsOf:merge:)``; not its manual orders.
  ///
  /// - Parameters:
  ///   - other: The table whose records are merged. If it is empty, nothing changes.
  ///   - merge: Changes the known record according to the one of the other table. Without it, that one replaces it.
  /// - Throws: As ``upsert(_:merge:)``; then no record has changed.
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

  /// Takes all records out of all manual orders.
  @usableFromInline
  mutating func clearOrders() {
    for (number, maintenance) in definition.indexes.enumerated() where maintenance.order != nil {
      guard IndexBox<ManualPlaces>.content(of: indexes[number]).count > 0 else { continue }
      indexes[number] = maintenance.empty
      version = ChangeStamp()
    }
  }

  /// Puts a record at the end, whose id is not in.
  @inlinable
  mutating func append(_ element: Element, hash: UInt32) throws(EntityError<Element>) {
    try RecordStore<Element>.requireEqualToItself(element.id)
    if store.end == RecordStore<Element>.limit { renumber() }
    if !indexes.isEmpty { try follow([RecordChange(store.end, from: nil, to: element)]) }
    version = ChangeStamp()
    store.append(Record(element, stamp: version), hash: hash)
  }

  /// Puts records into an empty table: all places are found at once.
  @inlinable
  mutating func fill(with elements: some Sequence<Element>) throws(EntityError<Element>) {
    let stamp = ChangeStamp()
    var table = self
    // From the first slot on, however many there were before.
    table.store = RecordStore()
    try table.store.fill(elements.lazy.map { Record($0, stamp: stamp) })
    if table.isEmpty { return }
    try table.buildIndexes()
    table.version = stamp
    self = table
  }

  /// Gives the records new slots, the first ones, when the numbers of slots are at their end.
  @usableFromInline
  mutating func renumber() {
    var table = EntityTable()
    table.store = store
    table.store.renumber()
    // Of records of a table no two are in each other's way.
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
  /// Makes a table of records, in their order.
  ///
  /// - Stops the program if two have the same id, or a key of which there may be one, or an id is not equal to itself: it is a
  ///   literal. For records from elsewhere there is an initializer that throws.
  public init(arrayLiteral elements: Element...) {
    do {
      try self.init(elements)
    } catch {
      Misuse.impossibleLiteral.stop(about: "\(error)")
    }
  }
}
