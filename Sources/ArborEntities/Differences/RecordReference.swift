/// A record that is named in what is encoded: by its id, or by the whole of it where the ids are not `Codable`.
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
      // By the type: an id may be an optional, of which a cast would take what is inside.
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
