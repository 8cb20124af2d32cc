internal import Arbor
internal import ArborEntities

/// A cache in a recording: unlike a stored one, it continues at the same moment, and people read it.
extension Requests {
  private struct Running: Codable {
    let followers: [Follower]
    let changes: [PendingChange]
    let isOnline: Bool
    let isActive: Bool
    let fetches: [Fetch]
    let lastFetch: Int
    let mustResume: Bool
  }

  private enum Tables: CodingKey {
    case entries
    case holders
  }

  /// The description of an entry's identity, which is the key of the entry.
  private struct EntryKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  func encodeRecorded(to encoder: any Encoder) throws {
    var tables = encoder.container(keyedBy: Tables.self)
    var table = tables.nestedContainer(keyedBy: EntryKey.self, forKey: .entries)
    for entry in entries { try table.encode(entry, forKey: EntryKey(stringValue: "\(entry.id)")) }
    table = tables.nestedContainer(keyedBy: EntryKey.self, forKey: .holders)
    for holders in holders { try table.encode(holders, forKey: EntryKey(stringValue: "\(holders.id)")) }
    let running = Running(
      followers: Array(followers),
      changes: changes,
      isOnline: isOnline,
      isActive: isActive,
      fetches: fetches,
      lastFetch: lastFetch,
      mustResume: mustResume
    )
    try running.encode(to: encoder)
  }

  /// Decodes a recorded cache; nil for a stored one.
  init?(recorded decoder: any Decoder) throws {
    let tables = try decoder.container(keyedBy: Tables.self)
    guard tables.contains(.holders) else { return nil }
    self.init()
    var table = try tables.nestedContainer(keyedBy: EntryKey.self, forKey: .entries)
    for key in table.allKeys {
      let entry = try table.decode(RequestEntry.self, forKey: key)
      entries[entry.id] = entry
    }
    table = try tables.nestedContainer(keyedBy: EntryKey.self, forKey: .holders)
    for key in table.allKeys {
      let entry = try table.decode(Holders.self, forKey: key)
      holders[entry.id] = entry
    }
    let running = try Running(from: decoder)
    for follower in running.followers { followers[follower.id] = follower }
    (changes, fetches, lastFetch) = (running.changes, running.fetches, running.lastFetch)
    (isOnline, isActive, mustResume) = (running.isOnline, running.isActive, running.mustResume)
  }
}

extension RequestEntry {
  private struct Running: Codable {
    let patched: RequestValue?
    let answeredAt: Duration?
    let isStale: Bool
    let fetch: Int?
    let fetchedPage: PageDirection?
    let duePage: PageDirection?
    let cause: Cause?
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
      duePage: duePage,
      cause: cause,
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
    (fetch, fetchedPage, duePage) = (running.fetch, running.fetchedPage, running.duePage)
    (answeredAt, staleAt, pollAt, removeAt) = (running.answeredAt, running.staleAt, running.pollAt, running.removeAt)
  }
}
