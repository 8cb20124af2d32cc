/// The changes from an older version of a table to a newer one, in an encodable form.
///
/// - Records are identified by their ids, never by their slots, because a decoded table has different slots.
/// - Parts without changes are not encoded.
package struct CodableEntityDifference<Element: Identifiable & Sendable & Codable>: Sendable
where Element.ID: Sendable {
  /// A record that takes the place of a record with another id.
  struct Replacement: Codable, Sendable {
    let old: RecordReference<Element>
    let new: Element
  }

  /// The removed records.
  var removed: [RecordReference<Element>] = []

  /// The records that take the place of another one: usually renamed records.
  var replaced: [Replacement] = []

  /// The changed records, with their new values.
  var changed: [Element] = []

  /// The inserted records, at the end, in their order.
  var inserted: [Element] = []

  /// The parts of each manual order that changed, by its name. Their positions count the records of the order after the
  /// removed ones have left it.
  var orders: [String: [OrderPart<RecordReference<Element>>]] = [:]

  /// The number of records that differ.
  package var recordCount: Int { removed.count + replaced.count + changed.count + inserted.count }
}

extension CodableEntityDifference: Codable {
  private enum Key: CodingKey {
    case removed, replaced, changed, inserted, orders
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    if !removed.isEmpty { try container.encode(removed, forKey: .removed) }
    if !replaced.isEmpty { try container.encode(replaced, forKey: .replaced) }
    if !changed.isEmpty { try container.encode(changed, forKey: .changed) }
    if !inserted.isEmpty { try container.encode(inserted, forKey: .inserted) }
    if !orders.isEmpty { try container.encode(orders, forKey: .orders) }
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    removed = try container.decodeIfPresent([RecordReference<Element>].self, forKey: .removed) ?? []
    replaced = try container.decodeIfPresent([Replacement].self, forKey: .replaced) ?? []
    changed = try container.decodeIfPresent([Element].self, forKey: .changed) ?? []
    inserted = try container.decodeIfPresent([Element].self, forKey: .inserted) ?? []
    orders =
      try container.decodeIfPresent([String: [OrderPart<RecordReference<Element>>]].self, forKey: .orders) ?? [:]
  }
}

/// A reference to a record in encoded data: its id, or the whole record if its id is not `Codable`.
enum RecordReference<Element: Identifiable & Sendable & Codable>: Sendable where Element.ID: Sendable {
  case id(Element.ID)
  case record(Element)

  /// Makes a reference to a record.
  init(to record: Element) {
    self = Element.ID.self is any Codable.Type ? .id(record.id) : .record(record)
  }

  /// The id of the record.
  var id: Element.ID {
    switch self {
    case .id(let id): id
    case .record(let record): record.id
    }
  }
}

extension RecordReference: Codable {
  private enum Key: CodingKey {
    case id, record
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .record(let record): try container.encode(record, forKey: .record)
    case .id(let id):
      // Encode by the static type: an id may be an optional, which a cast would unwrap.
      func encode<ID: Encodable>(_ type: ID.Type) throws { try container.encode(id as! ID, forKey: .id) }
      if let type = Element.ID.self as? any Encodable.Type { try encode(type) }
    }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    guard container.contains(.id) else {
      self = .record(try container.decode(Element.self, forKey: .record))
      return
    }
    guard let type = Element.ID.self as? any Decodable.Type else {
      throw DecodingError.dataCorruptedError(
        forKey: .id, in: container, debugDescription: "an id of \(Element.self) cannot be decoded")
    }
    func decode<ID: Decodable>(_ type: ID.Type) throws -> Element.ID {
      try container.decode(type, forKey: .id) as! Element.ID
    }
    self = .id(try decode(type))
  }
}
