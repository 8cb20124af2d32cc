/// A part of a manual order, in terms of an older version of it.
enum OrderPart<Entry> {
  /// Entries that were at these consecutive positions of the older version.
  case kept(Range<Int>)

  /// An entry that was not in the older version.
  case put(Entry)

  /// The positions of the older version whose entries the part keeps; nil if it puts an entry.
  var keptPositions: Range<Int>? {
    guard case .kept(let positions) = self else { return nil }
    return positions
  }

  /// Returns the same part with a converted entry.
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
        forKey: .kept, in: container, debugDescription: "\(numbers) isn't a position and a count")
    }
    self = .kept(numbers[0]..<numbers[0] + numbers[1])
  }
}

extension ManualPlaces {
  /// The parts that turn an older order into a new one; `nil` if there are more than a limit.
  static func parts(of slots: [Int], from older: [Int], atMost limit: Int) -> [OrderPart<Int>]? {
    let shorter = min(slots.count, older.count)
    var (start, end) = (0, 0)
    while start < shorter, slots[start] == older[start] { start += 1 }
    while end < shorter - start, slots[slots.count - 1 - end] == older[older.count - 1 - end] { end += 1 }
    var positions: [Int: Int] = [:]
    for position in start..<older.count - end { positions[older[position]] = position }
    var parts: [OrderPart<Int>] = []
    func keep(_ range: Range<Int>) {
      if let last = parts.last?.keptPositions, last.upperBound == range.lowerBound {
        parts[parts.count - 1] = .kept(last.lowerBound..<range.upperBound)
      } else if !range.isEmpty {
        parts.append(.kept(range))
      }
    }
    keep(0..<start)
    for slot in slots[start..<slots.count - end] {
      if let position = positions[slot] { keep(position..<position + 1) } else { parts.append(.put(slot)) }
      guard parts.count <= limit else { return nil }
    }
    keep(older.count - end..<older.count)
    return parts.count <= limit ? parts : nil
  }

  /// The reason why parts cannot keep their positions of this order; `nil` if they can.
  func problem(with parts: [OrderPart<Int>]) -> String? {
    var end = 0
    for positions in parts.compactMap(\.keptPositions).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if positions.upperBound > count { return "of \(count) records has no positions \(positions)" }
      if positions.lowerBound < end { return "would keep some of the positions \(positions) twice" }
      end = positions.upperBound
    }
    return nil
  }

  /// Turns this order into the one that the parts describe.
  ///
  /// - Parameter parts: Parts that keep no position twice, and put no slot that is already in the order.
  /// - Cost: O(log n) for each entry that is inserted, removed or moved, and for each part.
  mutating func rearrange(_ parts: [OrderPart<Int>]) {
    let staying = ManualPlaces.staying(of: parts)
    let areStaying = Set(staying)
    // Remember the moving slots before any slot changes its position.
    let moving = parts.indices.map { index in
      switch parts[index] {
      case .put(let slot): [slot]
      case .kept(let positions): areStaying.contains(index) ? [] : positions.map { slot(at: $0) }
      }
    }
    var end = count
    for index in staying.reversed() {
      guard let positions = parts[index].keptPositions else { continue }
      remove(at: positions.upperBound..<end)
      end = positions.lowerBound
    }
    remove(at: 0..<end)
    var position = 0
    for (index, part) in parts.enumerated() {
      for slot in moving[index] {
        insert(slot, at: position)
        position += 1
      }
      if moving[index].isEmpty, let positions = part.keptPositions { position += positions.count }
    }
  }

  /// The parts that stay while all others move around them: the longest part, and those that are in order with it.
  private static func staying(of parts: [OrderPart<Int>]) -> [Int] {
    let kept = parts.map(\.keptPositions)
    let longest = kept.indices.max { (kept[$0]?.count ?? 0) < (kept[$1]?.count ?? 0) }
    guard let longest, let middle = kept[longest] else { return [] }
    var (staying, start, end) = ([longest], middle.lowerBound, middle.upperBound)
    for index in kept.indices[..<longest].reversed() {
      guard let positions = kept[index], positions.upperBound <= start else { continue }
      staying.append(index)
      start = positions.lowerBound
    }
    staying.reverse()
    for index in kept.indices[(longest + 1)...] {
      guard let positions = kept[index], positions.lowerBound >= end else { continue }
      staying.append(index)
      end = positions.upperBound
    }
    return staying
  }

  private mutating func remove(at positions: Range<Int>) {
    for slot in positions.map({ slot(at: $0) }) { remove(slot) }
  }
}
