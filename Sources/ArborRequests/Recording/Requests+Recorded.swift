internal import Arbor
internal import ArborEntities

/// A cache in a recording: unlike a stored one, it continues at the same moment, and people read it.
extension Requests {
  private struct Running: Codable {
    let isOnline: Bool
    let isActive: Bool
    let lastFetch: Int
    let lastRound: Int
    let mustResume: Bool
  }

  private enum Tables: CodingKey {
    case entries
    case observers
    case fetches
    case changes
  }

  /// The description of a record's identity, which is the key of the record.
  private struct RecordKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  func encodeRecorded(to encoder: any Encoder) throws {
    var tables = encoder.container(keyedBy: Tables.self)
    try Requests.encode(entries, .entries, to: &tables)
    try Requests.encode(observers, .observers, to: &tables)
    try Requests.encode(fetches, .fetches, to: &tables)
    try tables.encode(Array(changes), forKey: .changes)
    let running = Running(
      isOnline: isOnline,
      isActive: isActive,
      lastFetch: lastFetch,
      lastRound: lastRound,
      mustResume: mustResume
    )
    try running.encode(to: encoder)
  }

  /// Decodes a recorded cache; nil for a stored one.
  init?(recorded decoder: any Decoder) throws {
    let tables = try decoder.container(keyedBy: Tables.self)
    guard tables.contains(.observers) else { return nil }
    self.init()
    entries = try Requests.decode(.entries, from: tables)
    observers = try Requests.decode(.observers, from: tables)
    fetches = try Requests.decode(.fetches, from: tables)
    for change in try tables.decode([PendingChange].self, forKey: .changes) { changes[change.id] = change }
    let running = try Running(from: decoder)
    (isOnline, isActive, mustResume) = (running.isOnline, running.isActive, running.mustResume)
    (lastFetch, lastRound) = (running.lastFetch, running.lastRound)
    // A damaged file may have an entry without its fetch, which would never end.
    for entry in entries where entry.fetchID.map({ fetches[$0] == nil }) ?? false {
      change(entry.id) { ($0.fetch, $0.fetchedPage) = (nil, nil) }
    }
  }

  private static func encode<Record: Identifiable & Encodable & Sendable>(
    _ table: EntityTable<Record>,
    _ key: Tables,
    to tables: inout KeyedEncodingContainer<Tables>
  ) throws {
    var container = tables.nestedContainer(keyedBy: RecordKey.self, forKey: key)
    for record in table { try container.encode(record, forKey: RecordKey(stringValue: "\(record.id)")) }
  }

  private static func decode<Record: Identifiable & Decodable & Sendable>(
    _ key: Tables,
    from tables: KeyedDecodingContainer<Tables>
  ) throws -> EntityTable<Record> {
    let container = try tables.nestedContainer(keyedBy: RecordKey.self, forKey: key)
    var table = EntityTable<Record>()
    for key in container.allKeys {
      let record = try container.decode(Record.self, forKey: key)
      table[record.id] = record
    }
    return table
  }
}

extension RequestEntry {
  private struct Running: Codable {
    let patched: RequestValue?
    let answeredAt: Duration?
    let isStale: Bool
    let fetch: Int?
    let fetchedPage: PageDirection?
    let duePages: [PageDirection]?
    let cause: Cause?
    let answeringRound: Int?
    let keepers: Int
    let isWaiting: Bool
    let isPollDue: Bool
    let staleAt: Duration?
    let pollAt: Duration?
    let removeAt: Duration?
  }

  private enum Keys: CodingKey {
    case isWaiting
  }

  func encodeRecorded(to encoder: any Encoder) throws {
    let running = Running(
      patched: patched,
      answeredAt: answeredAt,
      isStale: isStale,
      fetch: fetch,
      fetchedPage: fetchedPage,
      duePages: duePages.isEmpty ? nil : duePages,
      cause: cause,
      answeringRound: answeringRound,
      keepers: keepers,
      isWaiting: isWaiting,
      isPollDue: isPollDue,
      staleAt: staleAt,
      pollAt: pollAt,
      removeAt: removeAt
    )
    try running.encode(to: encoder)
  }

  mutating func decodeRecorded(from decoder: any Decoder) throws {
    guard try decoder.container(keyedBy: Keys.self).contains(.isWaiting) else { return }
    let running = try Running(from: decoder)
    (patched, isStale) = (running.patched, running.isStale)
    (isWaiting, isPollDue, cause) = (running.isWaiting, running.isPollDue, running.cause)
    (answeringRound, keepers) = (running.answeringRound, min(max(running.keepers, 0), Int.max / 2))
    (fetch, fetchedPage, duePages) = (running.fetch, running.fetchedPage, running.duePages ?? [])
    (answeredAt, staleAt, pollAt, removeAt) = (running.answeredAt, running.staleAt, running.pollAt, running.removeAt)
  }
}
