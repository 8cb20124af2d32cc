internal import Arbor

/// A manual order of some records of a table, such as a shelf, a queue, or items that a user drags.
///
/// ```swift
/// static let shelf = ManualOrder<Book>("shelf")
///
/// try table.insert(id, at: 0, in: Book.shelf)
/// try table.move(id, to: 3, in: Book.shelf)
/// table.remove(id, from: Book.shelf)
/// table[Book.shelf]  // an EntityList
/// ```
///
/// - Each record is in it at most once. A record that is removed from the table leaves the order too. A renamed record
///   keeps its position.
/// - The order is part of the table: it counts for `==` and for the stamp, and is encoded under its name.
/// - Cost: O(log n) per change. If you insert many records between the same two, a change occasionally takes longer to
///   make room.
public struct ManualOrder<Element: Identifiable & Sendable>: EntityIndex where Element.ID: Sendable {
  /// The functions that a table uses to keep the order up to date.
  public let maintenance: IndexMaintenance<Element>

  /// The name of the order in an encoded table.
  public let name: String

  fileprivate init(name: String, maintenance: IndexMaintenance<Element>) {
    self.name = name
    self.maintenance = maintenance
  }

  /// Makes an order that is empty at first.
  ///
  /// - Parameter name: The name of the order in an encoded table. No other order of these records may have the same
  ///   name.
  public init(_ name: String) {
    self.name = name
    maintenance = IndexMaintenance(
      empty: IndexBox(ManualPlaces()),
      change: { storage, slot, _, new in
        guard new == nil, IndexBox<ManualPlaces>.content(of: storage).contains(slot) else { return }
        IndexBox<ManualPlaces>.change(&storage) { $0.remove(slot) }
      },
      order: name,
      check: { storage, records in
        let places = IndexBox<ManualPlaces>.content(of: storage)
        places.check()
        for slot in places.slots {
          precondition(records.pointer(to: slot) != nil, "a manual order has a record that its table doesn't have")
        }
      }
    )
  }
}

extension ManualOrder where Element: IndexedEntity {
  /// Returns the order that the type of the records declares under a name.
  ///
  /// ```swift
  /// try table.append(id, to: .named("shelf"))
  /// ```
  ///
  /// - Use it in code that has only the name, such as a test generated from a recording.
  /// - Parameter name: The name of the order. If the type declares no order of that name, the program stops.
  public static func named(_ name: String) -> ManualOrder {
    let indexes = EntityDefinition<Element>.shared().indexes
    guard let maintenance = indexes.first(where: { $0.order == name }) else {
      Misuse.undeclaredIndex.stop(about: "\(Element.self)")
    }
    return ManualOrder(name: name, maintenance: maintenance)
  }
}

extension EntityTable {
  /// The records of an order, in that order.
  ///
  /// - Parameter order: The order, which the type of the records must declare; any other stops the program.
  public subscript(order: ManualOrder<Element>) -> EntityList<Element> {
    EntityList(store.records, in: content(of: order, ManualPlaces.self).tree)
  }

  /// Inserts a record into an order at a position.
  ///
  /// - Parameters:
  ///   - id: The id of the record.
  ///   - position: The position of the record afterward, from 0 through the number of records in the order.
  ///   - order: The order, which the type of the records must declare.
  /// - Throws: ``EntityError`` if the table has no such record, the order has it already, or there is no such position.
  ///   In that case, nothing has changed.
  public mutating func insert(
    _ id: Element.ID,
    at position: Int,
    in order: ManualOrder<Element>
  ) throws(EntityError<Element>) {
    guard let slot = store.slot(of: id) else { throw .missing(id) }
    let places = content(of: order, ManualPlaces.self)
    guard !places.contains(slot) else { throw .alreadyInOrder(id) }
    guard 0...places.count ~= position else { throw .noPosition(position, count: places.count) }
    change(order) { $0.insert(slot, at: position) }
  }

  /// Appends a record to an order.
  ///
  /// - Parameters:
  ///   - id: The id of the record.
  ///   - order: The order, which the type of the records must declare.
  /// - Throws: ``EntityError`` if there is no such record, or the order has it already. In that case, nothing has
  ///   changed.
  public mutating func append(_ id: Element.ID, to order: ManualOrder<Element>) throws(EntityError<Element>) {
    try insert(id, at: content(of: order, ManualPlaces.self).count, in: order)
  }

  /// Moves a record within an order to a position.
  ///
  /// - Parameters:
  ///   - id: The id of the record.
  ///   - position: The position of the record afterward, from 0 to one less than the number of records in the order.
  ///   - order: The order, which the type of the records must declare.
  /// - Throws: ``EntityError`` if the table or the order has no such record, or no such position. In that case, nothing
  ///   has changed.
  public mutating func move(
    _ id: Element.ID,
    to position: Int,
    in order: ManualOrder<Element>
  ) throws(EntityError<Element>) {
    let places = content(of: order, ManualPlaces.self)
    let slot = try slot(of: id, in: places)
    guard 0..<places.count ~= position else { throw .noPosition(position, count: places.count) }
    guard places.slot(at: position) != slot else { return }
    change(order) { places in
      places.remove(slot)
      places.insert(slot, at: position)
    }
  }

  /// Moves records within an order, in the given sequence, to just before another record.
  ///
  /// - A repeated id counts once.
  /// - Cost: O(k log n) for k records.
  /// - Parameters:
  ///   - ids: The ids of the records.
  ///   - next: The id of the record that comes after them, which itself must not move; nil to move them to the end.
  ///   - order: The order.
  /// - Throws: ``EntityError`` if the table or the order has no such record, or if `next` is one of the moved records.
  ///   In that case, nothing has changed.
  public mutating func move(
    _ ids: some Sequence<Element.ID>,
    before next: Element.ID?,
    in order: ManualOrder<Element>
  ) throws(EntityError<Element>) {
    let places = content(of: order, ManualPlaces.self)
    var (slots, moving): ([Int], Set<Int>) = ([], [])
    for id in ids {
      let slot = try slot(of: id, in: places)
      if moving.insert(slot).inserted { slots.append(slot) }
    }
    let nextSlot = try next.map { id throws(EntityError<Element>) in try slot(of: id, in: places) }
    if let next, let nextSlot, moving.contains(nextSlot) { throw .notInOrder(next) }
    guard !slots.isEmpty else { return }
    change(order) { places in
      for slot in slots { places.remove(slot) }
      let position = nextSlot.map { places.position(of: $0) } ?? places.count
      for (offset, slot) in slots.enumerated() { places.insert(slot, at: position + offset) }
    }
  }

  private func slot(of id: Element.ID, in places: ManualPlaces) throws(EntityError<Element>) -> Int {
    guard let slot = store.slot(of: id) else { throw .missing(id) }
    guard places.contains(slot) else { throw .notInOrder(id) }
    return slot
  }

  /// Removes a record from an order; it stays in the table.
  ///
  /// - Parameters:
  ///   - id: The id of the record. If the order does not have it, nothing changes.
  ///   - order: The order, which the type of the records must declare.
  /// - Returns: `true` if the record was in the order.
  @discardableResult
  public mutating func remove(_ id: Element.ID, from order: ManualOrder<Element>) -> Bool {
    guard let slot = store.slot(of: id), content(of: order, ManualPlaces.self).contains(slot) else { return false }
    change(order) { $0.remove(slot) }
    return true
  }

  private mutating func change(_ order: ManualOrder<Element>, _ body: (inout ManualPlaces) -> Void) {
    IndexBox<ManualPlaces>.change(&indexes[place(of: order)], body)
    version = ChangeStamp()
  }
}
