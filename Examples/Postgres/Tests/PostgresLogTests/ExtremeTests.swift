import ArborSync
import Foundation
import PostgresLog
import Testing

@Suite("Extreme names, sizes and numbers", .needsServer)
struct ExtremeTests {
  static let names = [
    "", " ", "'", "\"", "\\", "';DROP SCHEMA arbor CASCADE;--", "$1", "%s", "a\nb\r\t", "é", "e\u{301}", "日本語", "👩‍👩‍👧",
    "\u{202E}abc",
    "\u{FEFF}", "NULL", "{a,\"b}", String(repeating: "x", count: 1024),
  ]

  private func open(_ name: String = "extreme \(UUID())") throws -> PostgresLog {
    PostgresLog(try TestServer.url(), name: name)
  }

  @Test func `each name belongs to a separate log`() async throws {
    try await TestDatabase.with { database in
      var ids: [UUID] = []
      for name in Self.names {
        let log = PostgresLog(database.url, name: name)
        let id = try await log.connect(LogClient("Ann"), reducerVersion: 1).id
        #expect(try await PostgresLog(database.url, name: name).connect(LogClient("Bob"), reducerVersion: 1).id == id)
        try await log.append(name, of: LogClient("Ann"), from: 1, to: id)
        var signals = log.signals().makeAsyncIterator()
        #expect(await signals.next() == .appended)
        try await log.broadcast(Data(name.utf8), in: id)
        #expect(await signals.next() == .message(Data(name.utf8)))
        ids.append(id)
      }
      #expect(Set(ids).count == Self.names.count)
      for (name, id) in zip(Self.names, ids) {
        #expect(try await PostgresLog(database.url, name: name).all(in: id).map(\.text) == [name])
      }
    }
  }

  @Test func `each name and incarnation belongs to a separate client`() async throws {
    let log = try open()
    let clients = Self.names.flatMap { name in
      [0, 1, UInt64(Int64.max), 1 << 63, .max].map { LogClient(name, incarnation: $0) }
    }
    let id = try await log.connect(clients[0], reducerVersion: 1).id
    for client in clients {
      #expect(try await log.connect(client, reducerVersion: 1).lastNumber == 0)
      try await log.append("a", of: client, from: 1, to: id)
      try await log.note(1, readBy: client, in: id)
      #expect(try await log.connect(client, reducerVersion: 1).lastNumber == 1)
    }
    // Canonically equivalent names are equal as strings, but two different clients for the database.
    #expect(try await log.all(in: id).map { Array($0.client.name.utf8) } == clients.map { Array($0.name.utf8) })
    #expect(try await log.all(in: id).map(\.client.incarnation) == clients.map(\.incarnation))
    let numbers = Dictionary(clients.map { ($0, Int.max) }) { $1 }
    let snapshot = LogSnapshot(position: 1, numbers: numbers, version: .max, bytes: Data())
    try await log.save(snapshot, in: id)
    #expect(try await log.snapshot(in: id) == snapshot)
  }

  @Test func `a name that the database cannot store is refused`() async throws {
    let (log, ann) = (try open(), LogClient("Ann"))
    let id = try await log.connect(ann, reducerVersion: 1).id
    let nul = LogError.refused("a name contains the character NUL, which the database cannot store")
    let long = LogError.refused("a name has 1025 bytes, but may have at most 1024")
    for (name, error) in [("a\0b", nul), (String(repeating: "x", count: 1025), long)] {
      let client = LogClient(name)
      await #expect(throws: error) { try await log.connect(client, reducerVersion: 1) }
      await #expect(throws: error) { try await log.append("a", of: client, from: 1, to: id) }
      await #expect(throws: error) { try await log.note(0, readBy: client, in: id) }
      let other = try open(name)
      await #expect(throws: error) { try await other.connect(ann, reducerVersion: 1) }
      await #expect(throws: error) { try await other.all(in: id) }
    }
    let snapshot = LogSnapshot(position: 0, numbers: [LogClient("a\0b"): 1], version: 1, bytes: Data())
    await #expect(throws: LogError.refused("unsupported Unicode escape sequence")) {
      try await log.save(snapshot, in: id)
    }
    #expect(try await log.all(in: id) == [])
  }

  @Test func `long actions are read a few at a time, and snapshots may be long too`() async throws {
    let (log, ann) = (try open(), LogClient("Ann"))
    let id = try await log.connect(ann, reducerVersion: 1).id
    let actions = (0..<20).map { Data(repeating: $0, count: (1 << 20) - 1) + [255 - $0] }
    try await log.append(ActionBatch(of: ann, first: 1, version: 1, actions), to: id)
    var read: [LoggedAction] = []
    var counts: [Int] = []
    repeat {
      let some = try await log.actions(behind: read.count, atMost: 1000, in: id)
      read += some
      counts.append(some.count)
    } while counts.last != 0
    #expect(counts == [16, 4, 0])
    #expect(read.map(\.bytes) == actions)
    let snapshot = LogSnapshot(position: 20, numbers: [ann: 20], version: 1, bytes: Data(actions.joined()))
    try await log.save(snapshot, in: id)
    #expect(try await log.snapshot(in: id) == snapshot)
  }

  @Test func `a batch may have no actions, and actions no bytes`() async throws {
    let (log, ann) = (try open(), LogClient("Ann"))
    let id = try await log.connect(ann, reducerVersion: 1).id
    try await log.append(ActionBatch(of: ann, first: 1, version: 1, []), to: id)
    #expect(try await log.all(in: id) == [])
    await #expect(throws: LogError.missingActions(after: 0)) {
      try await log.append(ActionBatch(of: ann, first: 2, version: 1, []), to: id)
    }
    try await log.append("", "", of: ann, from: 1, to: id)
    #expect(try await log.all(in: id).map(\.bytes) == [Data(), Data()])
  }

  @Test func `very many actions are removed at once`() async throws {
    let (log, ann) = (try open(), LogClient("Ann"))
    let id = try await log.connect(ann, reducerVersion: 1).id
    let count = 25_001
    try await log.append(ActionBatch(of: ann, first: 1, version: 1, Array(repeating: Data([1]), count: count)), to: id)
    try await log.save(LogSnapshot(position: count - 1, numbers: [ann: count - 1], version: 1, bytes: Data()), in: id)
    try await log.note(count, readBy: ann, in: id)
    try await log.compact(id)
    #expect(try await log.connect(ann, reducerVersion: 1).compactedEnd == count - 1)
    #expect(try await log.actions(behind: count - 1, atMost: 10, in: id).map(\.position) == [count])
  }

  @Test(arguments: [Duration.zero, .microseconds(1), .seconds(600), .milliseconds(1500)])
  func `a log keeps the lease it was created with`(lease: Duration) async throws {
    let name = "lease \(UUID())"
    let url = try TestServer.url()
    #expect(
      try await PostgresLog(url, name: name, lease: lease).connect(LogClient("A"), reducerVersion: 1).lease == lease)
    #expect(try await PostgresLog(url, name: name).connect(LogClient("B"), reducerVersion: 1).lease == lease)
  }

  @Test(arguments: [(Duration.seconds(-1), Duration.zero), (.seconds(Int64.max), .seconds(4_000_000_000))])
  func `a lease that a database cannot store is adjusted`(lease: Duration, kept: Duration) async throws {
    let log = PostgresLog(try TestServer.url(), name: "lease \(UUID())", lease: lease)
    let found = try await log.connect(LogClient("A"), reducerVersion: 1)
    #expect(found.lease == kept)
    try await log.append("a", of: LogClient("A"), from: 1, to: found.id)
    try await log.save(LogSnapshot(position: 1, numbers: [:], version: 1, bytes: Data()), in: found.id)
    try await log.compact(found.id)
  }
}
