extension EntityTable: Encodable where Element: Encodable {
  /// Encodes the records as an array. If their type declares manual orders, encodes a container with `records` and
  /// `orders` instead; each order lists its records' positions in the array.
  public func encode(to encoder: any Encoder) throws {
    let orders = definition.indexes.indices.filter { definition.indexes[$0].order != nil }
    guard !orders.isEmpty else { return try encode(into: encoder.unkeyedContainer()) }
    var container = encoder.container(keyedBy: TableKey.self)
    try encode(into: container.nestedUnkeyedContainer(forKey: .records))
    var places: [Int: Int] = [:]
    store.records.visit { slot, _ in places[slot] = places.count }
    var encoded = container.nestedContainer(keyedBy: OrderKey.self, forKey: .orders)
    for number in orders {
      let slots = IndexBox<ManualPlaces>.content(of: indexes[number]).slots
      try encoded.encode(slots.map { places[$0]! }, forKey: OrderKey(definition.indexes[number].order!))
    }
  }

  private func encode(into container: consuming any UnkeyedEncodingContainer) throws {
    for element in self { try container.encode(element) }
  }
}

extension EntityTable: Decodable where Element: Decodable {
  /// Decodes records, in their order, and builds their indexes.
  ///
  /// - You can also decode records that were encoded without manual orders. Their orders are then empty.
  /// - Throws: `DecodingError`, with the path to the problem. The problem may be a record that cannot be decoded, or
  ///   that has the id or the unique key of an earlier record. It may also be a manual order that the type of the
  ///   records doesn't declare, or that names a missing record, or the same record twice.
  public init(from decoder: any Decoder) throws {
    self.init()
    guard let container = try? decoder.container(keyedBy: TableKey.self), container.contains(.records) else {
      try decode(from: decoder.unkeyedContainer())
      return
    }
    try decode(from: container.nestedUnkeyedContainer(forKey: .records))
    guard container.contains(.orders) else { return }
    let orders = try container.nestedContainer(keyedBy: OrderKey.self, forKey: .orders)
    for key in orders.allKeys where !definition.indexes.contains(where: { $0.order == key.stringValue }) {
      guard try orders.nestedUnkeyedContainer(forKey: key).isAtEnd else {
        throw EntityTable.damage(at: orders.codingPath + [key], "\(Element.self) has no manual order of this name")
      }
    }
    let slots = store.records.slots
    for (number, maintenance) in definition.indexes.enumerated() {
      guard let key = maintenance.order.map(OrderKey.init), orders.contains(key) else { continue }
      var places = try orders.nestedUnkeyedContainer(forKey: key)
      while !places.isAtEnd {
        let path = places.codingPath + [OrderKey(places.currentIndex)]
        let place = try places.decode(Int.self)
        guard slots.indices.contains(place) else {
          throw EntityTable.damage(at: path, "the order names record \(place), but the table has \(slots.count)")
        }
        guard !IndexBox<ManualPlaces>.content(of: indexes[number]).contains(slots[place]) else {
          throw EntityTable.damage(at: path, "the order names record \(place) twice")
        }
        IndexBox<ManualPlaces>.change(&indexes[number]) { $0.append([slots[place]]) }
      }
    }
    version = ChangeStamp()
  }

  private mutating func decode(from container: consuming any UnkeyedDecodingContainer) throws {
    let path = container.codingPath
    var elements: [Element] = []
    while !container.isAtEnd { elements.append(try container.decode(Element.self)) }
    do {
      try insert(contentsOf: elements)
    } catch {
      // Only on failure does it matter which record it was.
      var table = EntityTable()
      for (index, element) in elements.enumerated() {
        do {
          try table.insert(element)
        } catch {
          throw EntityTable.damage(at: path + [OrderKey(index)], "\(error)", error)
        }
      }
      throw EntityTable.damage(at: path, "\(error)", error)
    }
  }

  static func damage(at path: [any CodingKey], _ sentence: String, _ error: (any Error)? = nil) -> DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: path, debugDescription: sentence, underlyingError: error))
  }
}

/// The keys of a table that has manual orders.
private enum TableKey: String, CodingKey {
  case records, orders
}

/// The name of a manual order, or a position in it, in a coding path.
private struct OrderKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(_ name: String) {
    stringValue = name
    intValue = nil
  }

  init(_ index: Int) {
    stringValue = "Index \(index)"
    intValue = index
  }

  init?(stringValue: String) { self.init(stringValue) }

  init?(intValue: Int) { self.init(intValue) }
}
