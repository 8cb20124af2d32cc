import Arbor
import ArborPersistence
import ArborSync
import ArborTesting
import Foundation
import SimulatedFiles
import TestSupport
import Testing

@Suite("Snapshots of shared stores")
struct SharedSnapshotTests {
  private let log = MemoryLog()

  private var settings: SyncSettings {
    var settings = SyncSettings()
    settings.snapshotInterval = 10
    settings.batch = 4
    return settings
  }

  private func description() async throws -> LogDescription {
    try await log.connect(LogClient("reader"), reducerVersion: 1)
  }

  @Test func `A new client begins with the newest snapshot, and reads what is behind it alone`() async throws {
    let ann = try await client("Ann", of: log, settings: settings)
    for number in 1...25 { try await ann.dispatchConfirmed(.add("\(number)")) }
    let found = try await description()
    let snapshot = try #require(try await log.snapshot(in: found.id))
    #expect(snapshot.position >= 20)
    // Nobody else is connected but the reader, who has read nothing yet.
    let counted = CountingLog(log)
    let ben = try await client("Ben", of: counted, settings: settings)
    await ben.caughtUp(to: 25)
    #expect(ben.state == ann.state)
    #expect(counted.read.values.reduce(0, +) == 25 - snapshot.position)
  }

  @Test
  func `Nothing is removed that a connected client has not read, and who comes back later begins at the snapshot`()
    async throws
  {
    let folder = SimulatedFolder()
    let clock = TestClock()
    let log = MemoryLog(lease: .seconds(100), clock: clock)
    let ann = try await client("Ann", of: log, settings: settings)
    do {
      let ben = try await client("Ben", of: log, outbox: Storage(folder, durability: .full), settings: settings)
      try await ben.dispatchConfirmed(.add("of Ben"))
      try await ben.flush()
    }
    for number in 1...25 { try await ann.dispatchConfirmed(.add("\(number)")) }
    #expect(try await log.connect(LogClient("reader"), reducerVersion: 1).compactedEnd <= 1)
    // Ben counts as connected no more; the reader has gone, too.
    clock.advance(by: .seconds(200))
    for number in 26...50 { try await ann.dispatchConfirmed(.add("\(number)")) }
    #expect(try await log.connect(LogClient("reader"), reducerVersion: 1).compactedEnd > 1)
    log.faults = .isDown
    let ben = try await client(
      "Ben", of: log, outbox: Storage(folder.afterKill(), durability: .full), settings: settings)
    await ben.dispatchAndWait(.add("offline"))
    #expect(ben.state.entries == ["of Ben", "offline"])
    log.faults = []
    await ben.caughtUp(to: 52)
    #expect(ben.state.entries.count == 52)
    #expect(ben.state.entries.last == "offline")
    await ann.caughtUp(to: 52)
    #expect(ann.state == ben.state)
  }

  @Test func `Nothing is removed that a client has read, and whose outbox does not have it`() async throws {
    let folder = SimulatedFolder()
    var failing = settings
    failing.backoff = .constant(.milliseconds(1))
    let ann = try await client("Ann", of: log, outbox: Storage(folder, durability: .full), settings: failing)
    await ann.caughtUp()
    folder.failure = { _, operation in operation == .write ? .noSpace : nil }
    let ben = try await client("Ben", of: log, settings: settings)
    for number in 1...30 { try await ben.dispatchConfirmed(.add("\(number)")) }
    for await status in ann.status.states() where status.position == 30 { break }
    for await status in ann.status.states() where !status.isConnected { break }
    #expect(try await description().compactedEnd == 0)
    folder.failure = { _, _ in nil }
    await ann.caughtUp(to: 30)
    #expect(ann.state == ben.state)
  }

  @Test func `Y2 actions that are in a snapshot are sent no more`() async throws {
    let folder = SimulatedFolder()
    let clock = TestClock()
    let log = MemoryLog(lease: .seconds(100), clock: clock)
    let ann = try await client("Ann", of: log, settings: settings)
    let before: SimulatedFolder
    do {
      let ben = try await client("Ben", of: log, outbox: Storage(folder, durability: .full), settings: settings)
      await ben.caughtUp()
      log.faults = .losesAnswers
      await ben.dispatchAndWait(.add("of Ben"))
      for await status in ben.status.states() where !status.isConnected { break }
      log.faults = .isDown
      try await ben.flush()
      before = folder.afterKill()
    }
    log.faults = []
    clock.advance(by: .seconds(200))
    for number in 1...25 { try await ann.dispatchConfirmed(.add("\(number)")) }
    #expect(try await log.connect(LogClient("reader"), reducerVersion: 1).compactedEnd > 1)
    let ben = try await client("Ben", of: log, outbox: Storage(before, durability: .full), settings: settings)
    #expect(ben.status.state.waiting == 1)
    await ben.caughtUp(to: 26)
    #expect(ben.state.entries.filter { $0 == "of Ben" }.count == 1)
    #expect(ben.state.entries.count == 26)
  }

  @Test func `Y4 a snapshot of an unknown version stops the work`() async throws {
    let ann = try await client("Ann", of: log)
    try await ann.dispatchConfirmed(.add("milk"))
    let found = try await description()
    try await log.save(LogSnapshot(position: 1, numbers: [:], version: 9, bytes: Data()), in: found.id)
    let ben = try await client("Ben", of: log)
    for await status in ben.status.states() {
      guard let stop = status.stop else { continue }
      #expect(stop == .unknownVersion(9, position: 1))
      break
    }
  }
}

/// A log that counts what is read of it.
private final class CountingLog: OrderedLog {
  private let log: MemoryLog
  let read = RecordedValues<Int>()

  init(_ log: MemoryLog) {
    self.log = log
  }

  func connect(_ client: LogClient, reducerVersion: Int) async throws(LogError) -> LogDescription {
    try await log.connect(client, reducerVersion: reducerVersion)
  }

  func append(_ batch: ActionBatch, to id: UUID) async throws(LogError) { try await log.append(batch, to: id) }

  func actions(behind position: Int, atMost count: Int, in id: UUID) async throws(LogError) -> [LoggedAction] {
    let actions = try await log.actions(behind: position, atMost: count, in: id)
    read.append(actions.count)
    return actions
  }

  func snapshot(in id: UUID) async throws(LogError) -> LogSnapshot? { try await log.snapshot(in: id) }

  func save(_ snapshot: LogSnapshot, in id: UUID) async throws(LogError) { try await log.save(snapshot, in: id) }

  func note(_ position: Int, readBy client: LogClient, in id: UUID) async throws(LogError) {
    try await log.note(position, readBy: client, in: id)
  }

  func compact(_ id: UUID) async throws(LogError) { try await log.compact(id) }

  func signals() -> AsyncStream<LogSignal> { log.signals() }

  func broadcast(_ message: Data, in id: UUID) async throws(LogError) { try await log.broadcast(message, in: id) }
}
