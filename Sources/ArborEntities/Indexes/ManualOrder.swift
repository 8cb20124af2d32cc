internal import Arbor

/// An order made by hand, of records that were put into it: a shelf, a queue, what a user has dragged where.
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
/// - A record is in it once or not at all. One that is removed from the table leaves the order too; one whose id is changed stays
///   where it is.
/// - It is part of the table: of its `==`, of its stamp, and of what is encoded, under its name.
/// - Cost: O(log n) a change; where many are put between the same two, now and then more for making room.
public struct ManualOrder<Element: Identifiable & Sendable>: EntityIndex where Element.ID: Sendable {
  /// The functions by which a table keeps the order up to date.
  public let maintenance: IndexMaintenance<Element>

  /// The name of the order where a table is encoded.
  public let name: String

  fileprivate init(name: String, maintenance: IndexMaintenance<Element>) {
    self.name = name
    self.maintenance = maintenance
  }

  /// Makes an order that is empty in the beginning.
  ///
  /// - Parameter name: The name of the order where a table is encoded, which no other order of these records may have.
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
          precondition(records.pointer(to: slot) != nil, "a manual order has a record that its table has not")
        }
      }
    )
  }
}

extension ManualOrder where Element: IndexedEntity {
  /// Finds the order that the type of the records declares under a name.
  ///
  /// ```swift
  /// try table.append(id, to: .named("shelf"))
  /// ```
  ///
  /// - For code that has only the name, such as a test that is written from a recording.
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
  /// - Parameter order: The order, one that the type of the records declares; any other stops the program.
  public subscript(order: ManualOrder<Element>) -> EntityList<Element> {
    EntityList(store.records, in: content(of: order, ManualPlaces.self).tree)
  }

  /// Puts a record into an order, so that it is at a position.
  ///
  /// - Parameters:
  ///   - id: The id of the record.
  ///   - position: The position of the record afterwards, from 0 through the number of records in the order.
  ///   - order: The order, one that the type of the records declares.
  /// - Throws: ``EntityError`` if the table has no such record, the order has it already, or there is no such position. Then
  ///   nothing has changed.
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

  /// Puts a record at the end of an order, as ``insert(_:at:in:)``.
  ///
  /// - Parameters:
  ///   - id: The id of the record.
  ///   - order: The order, one that the type of the records declares.
  /// - Throws: ``EntityError`` if there is no such record, or the order has it already. Then nothing has changed.
  public mutating func append(_ id: Element.ID, to order: ManualOrder<Element>) throws(EntityError<Element>) {
    try insert(id, at: content(of: order, ManualPlaces.self).count, in: order)
  }

  /// Moves a record within an order, so that it is at a position afterwards.
  ///
  /// - Parameters:
  ///   - id: The id of the record.
  ///   - position: The position of the record afterwards, from 0 to one less than the number of records in the order.
  ///   - order: The order, one that the type of the records declares.
  /// - Throws: ``EntityError`` if the table or the order has no such record, or no such position. Then nothing has changed.
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

  /// Moves records within an order, so that they stand together, as they are given, before another record.
  ///
  /// - An id that comes twice counts once.
  /// - Cost: O(k log n) for k records.
  /// - Parameters:
  ///   - ids: The ids of the records.
  ///   - next: The record that is behind them then, and does not move itself; nil to move them to the end.
  ///   - order: The order.
  /// - Throws: ``EntityError`` if the table or the order has no such record, or if `next` is among those that move. Then
  ///   nothing has changed.
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

  /// Takes a record out of an order; it stays in the table.
  ///
  /// - Parameters:
  ///   - id: The id of the record. If the order does not have it, nothing changes.
  ///   - order: The order, one that the type of the records declares.
  /// - Returns: `true` if it was in.
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
