/// A part of a manual order, in terms of an older version of it.
enum OrderPart<Entry> {
  /// Entries that stood together at these positions of the older version.
  case kept(Range<Int>)

  /// An entry that was not in it.
  case put(Entry)

  /// The same part with another form of the entry.
  func map<Other>(_ transform: (Entry) throws -> Other) rethrows -> OrderPart<Other> {
    switch self {
    case .kept(let positions): .kept(positions)
    case .put(let entry): .put(try transform(entry))
    }
  }
}

extension OrderPart: Sendable where Entry: Sendable {}

extension OrderPart: Codable where Entry: Codable {
  private enum Key: CodingKey {
    case kept, put
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .kept(let positions): try container.encode([positions.lowerBound, positions.count], forKey: .kept)
    case .put(let entry): try container.encode(entry, forKey: .put)
    }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    guard container.contains(.kept) else {
      self = .put(try container.decode(Entry.self, forKey: .put))
      return
    }
    let numbers = try container.decode([Int].self, forKey: .kept)
    guard numbers.count == 2, numbers[0] >= 0, numbers[1] > 0, numbers[1] <= Int.max - numbers[0] else {
      throw DecodingError.dataCorruptedError(
        forKey: .kept, in: container, debugDescription: "\(numbers) is no position with a count")
    }
    self = .kept(numbers[0]..<numbers[0] + numbers[1])
  }
}
