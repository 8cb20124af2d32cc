import ArborSync
import Foundation
import PostgresLog
import Testing

@Suite("Hints and messages", .needsServer)
struct SignalTests {
  private let ann = LogClient("Ann")

  @Test func `a message may have all bytes, and the maximum length`() async throws {
    let log = PostgresLog(try TestServer.url(), name: "signals \(UUID())")
    let id = try await log.connect(ann, reducerVersion: 1).id
    var signals = log.signals().makeAsyncIterator()
    #expect(await signals.next() == .appended)
    for count in [0, 1, 2, 3, 255, 256, LogError.longestMessage] {
      let message = Data((0..<count).map { UInt8(truncatingIfNeeded: $0) })
      try await log.broadcast(message, in: id)
      #expect(await signals.next() == .message(message))
    }
  }

  @Test func `each append sends a hint`() async throws {
    let (name, url) = ("signals \(UUID())", try TestServer.url())
    let (log, other) = (PostgresLog(url, name: name), PostgresLog(url, name: name))
    let id = try await log.connect(ann, reducerVersion: 1).id
    var signals = other.signals().makeAsyncIterator()
    #expect(await signals.next() == .appended)
    for number in 1...5 {
      try await log.append("\(number)", of: ann, from: number, to: id)
      #expect(await signals.next() == .appended)
    }
    try await log.broadcast(Data([1]), in: id)
    #expect(await signals.next() == .message(Data([1])))
  }

  @Test func `foreign notifications on the channel are ignored`() async throws {
    let log = PostgresLog(try TestServer.url(), name: "signals \(UUID())")
    let id = try await log.connect(ann, reducerVersion: 1).id
    var signals = log.signals().makeAsyncIterator()
    #expect(await signals.next() == .appended)
    let administrator = CallQueue(ConnectionSettings(try TestServer.url()))
    for payload in ["", "b", "m*", "aa", "é"] {
      try await administrator.run("SELECT pg_notify('\(LogChannel(log: id).name)', '\(payload)')")
    }
    try await log.broadcast(Data([1]), in: id)
    #expect(await signals.next() == .message(Data([1])))
  }

  @Test func `a listener before the log exists receives hints from the first connection on`() async throws {
    try await TestDatabase.with { database in
      let log = PostgresLog(database.url)
      var (first, second) = (log.signals().makeAsyncIterator(), log.signals().makeAsyncIterator())
      let id = try await log.connect(ann, reducerVersion: 1).id
      #expect(await first.next() == .appended)
      #expect(await second.next() == .appended)
      try await log.broadcast(Data([1]), in: id)
      #expect(await first.next() == .message(Data([1])))
      #expect(await second.next() == .message(Data([1])))
      // A listener that comes later receives a hint immediately.
      var third = log.signals().makeAsyncIterator()
      #expect(await third.next() == .appended)
    }
  }
}
