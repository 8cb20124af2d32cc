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

  private func description(of log: MemoryLog? = nil) async throws -> LogDescription {
    try await (log ?? self.log).connect(LogClient("reader"), reducerVersion: 1)
  }

  @Test func `a new client begins with the newest snapshot, and reads only the later actions`() async throws {
    let ann = try await client("Ann", of: log, settings: settings)
    for number in 1...25 { try await ann.dispatchConfirmed(.add("\(number)")) }
    let found = try await description()
    let snapshot = try #require(try await log.snapshot(in: found.id))
    #expect(snapshot.position >= 20)
    // No other client is connected except for the reader, which has read nothing yet.
    let counted = CountingLog(log)
    let ben = try await client("Ben", of: counted, settings: settings)
    await ben.caughtUp(to: 25)
    #expect(ben.state == ann.state)
    #expect(counted.read.values.reduce(0, +) == 25 - snapshot.position)
  }

  @Test func `unread actions of a connected client are kept, and a client that returns late begins at the snapshot`()
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
    // Ben's lease is over, and so is the reader's.
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

  @Test func `actions that a client has read, but not stored in its outbox, are not removed`() async throws {
    let folder = SimulatedFolder()
    var failing = settings
    failing.backoff = .constant(.milliseconds(1))
    let ann = try await client("Ann", of: log, outbox: Storage(folder, durability: .full), settings: failing)
    await ann.caughtUp(to: 0)
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

  @Test func `Y2 Y3 actions in a snapshot are not sent again, and their effects are performed`() async throws {
    let folder = SimulatedFolder()
    let clock = TestClock()
    let log = MemoryLog(lease: .seconds(100), clock: clock)
    let ann = try await client("Ann", of: log, settings: settings)
    let before: SimulatedFolder
    do {
      let counted = CountingLog(log)
      let ben = try await client("Ben", of: counted, outbox: Storage(folder, durability: .full), settings: settings)
      await ben.caughtUp(to: 0)
      counted.isCutByAppending.withLockInAsync { $0 = true }
      await ben.dispatchAndWait(.add("of Ben"))
      for await status in ben.status.states() where !status.isConnected { break }
      try await ben.flush()
      before = folder.afterKill()
    }
    log.faults = []
    clock.advance(by: .seconds(200))
    for number in 1...25 { try await ann.dispatchConfirmed(.add("\(number)")) }
    #expect(try await log.connect(LogClient("reader"), reducerVersion: 1).compactedEnd > 1)
    let performed = RecordedValues<String>()
    let feature = ledgerFeature(
      effects: { state, action in
        if case .add(let text) = action { performed.append("\(text) of \(state.entries.count)") }
        return .none
      },
      stateEffects: [
        StateEffect(onChange: \.total) { state in
          performed.append("total \(state.total)")
          return .none
        }
      ]
    )
    log.faults = .isDown
    let ben = try await client(
      "Ben", of: log, outbox: Storage(before, durability: .full), settings: settings, feature: feature)
    #expect(ben.status.state.waiting == 1)
    log.faults = []
    await ben.caughtUp(to: 26)
    #expect(ben.state.entries.filter { $0 == "of Ben" }.count == 1)
    #expect(ben.state.entries.count == 26)
    // A snapshot's state performs the effects of all its changes at once.
    let position = try #require(try await log.snapshot(in: description(of: log).id)).position
    #expect(performed.values == ["total \(position)", "of Ben of \(position)"])
    let eve = try await client("Eve", of: log, settings: settings, feature: feature)
    await eve.caughtUp(to: 26)
    #expect(performed.values.count == 2)
  }

  @Test func `Y4 a snapshot of an unknown version stops syncing`() async throws {
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
