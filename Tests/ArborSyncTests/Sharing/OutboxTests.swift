import Arbor
import ArborPersistence
import ArborSync
import Foundation
import SimulatedFiles
import TestSupport
import Testing

@Suite("Outboxes of shared stores")
struct OutboxTests {
  private let log = MemoryLog()

  @Test func `Y2 waiting actions survive a killed process once the outbox has stored them`() async throws {
    let folder = SimulatedFolder()
    log.faults = .isDown
    do {
      let ann = try await client("Ann", of: log, outbox: Storage(folder, durability: .full))
      await ann.dispatchAndWait(.add("milk"))
      await ann.dispatchAndWait(.add("bread"))
      try await ann.flush()
    }
    let ann = try await client("Ann", of: log, outbox: Storage(folder.afterKill(), durability: .full))
    #expect(ann.state.entries == ["milk", "bread"])
    #expect(ann.status.state.waiting == 2)
    #expect(ann.confirmed.state.entries == [])
    log.faults = []
    await ann.caughtUp(to: 2)
    #expect(ann.confirmed.state.entries == ["milk", "bread"])
  }

  @Test func `a client that restarts while the log cannot be reached still has its confirmed state`() async throws {
    let folder = SimulatedFolder()
    do {
      let ann = try await client("Ann", of: log, outbox: Storage(folder, durability: .full))
      try await ann.dispatchConfirmed(.add("milk"))
      try await ann.flush()
    }
    log.faults = .isDown
    let ann = try await client("Ann", of: log, outbox: Storage(folder.afterKill(), durability: .full))
    #expect(ann.confirmed.state.entries == ["milk"])
    #expect(ann.status.state.position == 1)
  }

  @Test func `Y2 each action is in the log once after a lost answer`() async throws {
    var settings = SyncSettings()
    settings.backoff = .constant(.milliseconds(1))
    let connection = CountingLog(log)
    let ann = try await client("Ann", of: connection, settings: settings)
    await ann.caughtUp(to: 0)
    connection.isCutByAppending.withLockInAsync { $0 = true }
    await ann.dispatchAndWait(.add("milk"))
    for await status in ann.status.states() where !status.isConnected { break }
    connection.isCutByAppending.withLockInAsync { $0 = false }
    log.faults = []
    try await ann.dispatchConfirmed(.add("bread"))
    #expect(ann.confirmed.state.entries == ["milk", "bread"])
    #expect(ann.status.state.position == 2)
  }

  @Test(arguments: [LogError.refused("too much"), .unreachable("too much")])
  func `Y2 a batch that is too large is sent in smaller ones`(error: LogError) async throws {
    var settings = SyncSettings()
    settings.backoff = .constant(.milliseconds(1))
    let connection = CountingLog(log, refuse: { batch in batch.actions.count > 3 ? error : nil })
    log.faults = .isDown
    let ann = try await client("Ann", of: connection, settings: settings)
    await ann.dispatchAndWait(batch: (1...40).map { .add("\($0)") })
    log.faults = []
    await ann.caughtUp(to: 40)
    #expect(ann.confirmed.state.entries == (1...40).map { "\($0)" })
  }

  @Test func `a batch has a few megabytes at most, or a single action`() async throws {
    let lengths = RecordedValues<[Int]>()
    let noting: @Sendable (ActionBatch) -> LogError? = { batch in
      lengths.append(batch.actions.map { $0.count >> 20 })
      return nil
    }
    let connection = CountingLog(log, refuse: noting)
    log.faults = .isDown
    let ann = try await client("Ann", of: connection)
    let texts = [1, 1, 1, 1, 6].map { String(repeating: "x", count: $0 << 20) }
    await ann.dispatchAndWait(batch: texts.map { .add($0) })
    log.faults = []
    await ann.caughtUp(to: 5)
    #expect(lengths.values == [[1, 1, 1], [1], [6]])
  }

  @Test func `Y2 after an outbox is restored from a backup, each action is in the log exactly once`() async throws {
    let folder = SimulatedFolder()
    let backup: SimulatedFolder
    do {
      let ann = try await client("Ann", of: log, outbox: Storage(folder, durability: .full))
      try await ann.dispatchConfirmed(.add("milk"))
      log.faults = .isDown
      await ann.dispatchAndWait(.add("bread"))
      try await ann.flush()
      backup = folder.afterKill()
      log.faults = []
      try await ann.dispatchConfirmed(.add("tea"))
    }
    log.faults = .isDown
    let ann = try await client("Ann", of: log, outbox: Storage(backup, durability: .full))
    await ann.dispatchAndWait(.add("salt"))
    #expect(ann.state.entries == ["milk", "bread", "salt"])
    log.faults = []
    await ann.caughtUp(to: 4)
    #expect(ann.confirmed.state.entries == ["milk", "bread", "tea", "salt"])
  }

  @Test func `Y2 two copies of an outbox in use at once send each action once`() async throws {
    let folder = SimulatedFolder()
    do {
      let ann = try await client("Ann", of: log, outbox: Storage(folder, durability: .full))
      try await ann.dispatchConfirmed(.add("milk"))
      try await ann.flush()
    }
    let first = try await client("Ann", of: log, outbox: Storage(folder.afterKill(), durability: .full))
    let second = try await client("Ann", of: log, outbox: Storage(folder.afterKill(), durability: .full))
    await first.caughtUp(to: 0)
    await second.caughtUp(to: 0)
    log.faults = .isDown
    await first.dispatchAndWait(.add("bread"))
    await second.dispatchAndWait(.add("tea"))
    log.faults = []
    await first.caughtUp(to: 3)
    await second.caughtUp(to: 3)
    #expect(first.state == second.state)
    #expect(first.state.entries.sorted() == ["bread", "milk", "tea"])
    try await first.dispatchConfirmed(.add("salt"))
    try await second.dispatchConfirmed(.add("oil"))
    await first.caughtUp(to: 5)
    #expect(first.state == second.state)
  }

  @Test func `Y2 a copy of an outbox loses nothing if a snapshot contains the other copy's actions`() async throws {
    var settings = SyncSettings()
    settings.snapshotInterval = 10
    let folder = SimulatedFolder()
    do {
      let ann = try await client("Ann", of: log, outbox: Storage(folder, durability: .full), settings: settings)
      await ann.caughtUp(to: 0)
      try await ann.flush()
    }
    let first = try await client(
      "Ann", of: log, outbox: Storage(folder.afterKill(), durability: .full), settings: settings)
    let id = try await log.connect(LogClient("reader"), reducerVersion: 1).id
    let signals = log.signals()
    for number in 1...20 { try await first.dispatchConfirmed(.add("\(number)")) }
    // The snapshot arrives after the actions.
    for await _ in signals where try await log.snapshot(in: id)?.position == 20 { break }
    // This copy connected before the other one had sent anything.
    let isEarly = Protected(true)
    let connection = CountingLog(log) { found in
      let lastNumber = isEarly.withLock { $0 } ? 0 : found.lastNumber
      isEarly.withLock { $0 = false }
      return LogDescription(
        id: found.id, reducerVersion: found.reducerVersion, end: found.end, compactedEnd: found.compactedEnd,
        lastNumber: lastNumber, lease: found.lease)
    }
    let second = try await client(
      "Ann", of: connection, outbox: Storage(folder.afterKill(), durability: .full), settings: settings)
    await second.caughtUp(to: 20)
    await second.dispatchAndWait(batch: [.add("a"), .add("b")])
    await second.caughtUp(to: 22)
    await first.caughtUp(to: 22)
    #expect(first.state == second.state)
    #expect(first.state.entries.suffix(2) == ["a", "b"])
  }

  @Test func `a client with a new name sends the actions that wait in its outbox`() async throws {
    let folder = SimulatedFolder()
    log.faults = .isDown
    do {
      let ann = try await client("Ann", of: log, outbox: Storage(folder, durability: .full))
      await ann.dispatchAndWait(.add("milk"))
      try await ann.flush()
    }
    let anna = try await client("Anna", of: log, outbox: Storage(folder.afterKill(), durability: .full))
    #expect(anna.state.entries == ["milk"])
    log.faults = []
    try await anna.dispatchConfirmed(.add("bread"))
    #expect(anna.confirmed.state.entries == ["milk", "bread"])
  }

  @Test func `Y2 an action that was being sent when its client was renamed is in the log once`() async throws {
    let folder = SimulatedFolder()
    let before: LogClient
    do {
      let lost = CountingLog(log, refuse: { _ in .unreachable("no answer") })
      let ann = try await client("Ann", of: lost, outbox: Storage(folder, durability: .full))
      await ann.caughtUp(to: 0)
      await ann.dispatchAndWait(.add("milk"))
      // Sent, as far as it knows.
      for await status in ann.status.states() where !status.isConnected { break }
      try await ann.flush()
      before = ann.client
    }
    let anna = try await client("Anna", of: log, outbox: Storage(folder.afterKill(), durability: .full))
    try await anna.dispatchConfirmed(.add("bread"))
    // It arrives now.
    let id = try await log.connect(LogClient("reader"), reducerVersion: 1).id
    let late = try JSONCoding().encode(LedgerAction.add("milk"))
    try await log.append(ActionBatch(of: before, first: 1, version: 1, [late]), to: id)
    try await anna.dispatchConfirmed(.add("tea"))
    #expect(anna.confirmed.state.entries == ["milk", "bread", "tea"])
  }

  @Test func `a client whose outbox cannot be written reports it, sends nothing, and continues when it can`()
    async throws
  {
    let folder = SimulatedFolder()
    var settings = SyncSettings()
    settings.backoff = .constant(.milliseconds(1))
    let ann = try await client(
      "Ann", of: log, outbox: Storage(folder, durability: .full), settings: settings)
    await ann.caughtUp(to: 0)
    folder.failure = { _, operation in operation == .write ? .noSpace : nil }
    await ann.dispatchAndWait(.add("milk"))
    for await status in ann.status.states() {
      if case .down(let reason) = status.connection, reason.contains("space") { break }
    }
    let found = try await log.connect(LogClient("reader"), reducerVersion: 1)
    #expect(found.end == 0)
    folder.failure = { _, _ in nil }
    await ann.caughtUp(to: 1)
    #expect(ann.confirmed.state.entries == ["milk"])
  }

  @Test func `Y2 a damaged outbox is kept aside and begins again, and no action is sent twice`() async throws {
    let folder = SimulatedFolder()
    do {
      let outbox = try Storage(folder, durability: .full)
      let ann = try await client("Ann", of: log, outbox: outbox)
      try await ann.dispatchConfirmed(.add("milk"))
      try await ann.flush()
      try await outbox.close()
    }
    for name in try folder.names() {
      guard let file = try folder.open(name) else { continue }
      var bytes = try file.readAll()
      for index in bytes.indices { bytes[index] ^= 0x55 }
      try folder.remove(name)
      try folder.create(name).append(bytes)
    }
    let ann = try await client("Ann", of: log, outbox: Storage(folder, durability: .full))
    #expect(!ann.report.findings.isEmpty)
    await ann.caughtUp(to: 1)
    try await ann.dispatchConfirmed(.add("bread"))
    #expect(ann.confirmed.state.entries == ["milk", "bread"])
    #expect(ann.status.state.position == 2)
  }

  @Test func `Y1 a confirmed state with a damaged part is read from the log again, also at the next start`()
    async throws
  {
    for part in ["confirmed", "outbox"] {
      let (log, folder) = (MemoryLog(), SimulatedFolder())
      do {
        let outbox = try Storage(folder, durability: .full)
        let ann = try await client("Ann", of: log, outbox: outbox)
        for text in ["milk", "bread"] { try await ann.dispatchConfirmed(.add(text)) }
        try await ann.flush()
        try await outbox.close()
      }
      // A program with a different type has stored the part.
      do {
        let outbox = try Storage(folder, durability: .full)
        let wrong = Persisted(\Wrong.text, as: part)
        let (state, _) = try await outbox.load(into: Wrong(), [wrong], Journal(of: Wrong.feature, coding: .binary))
        let store = StoreFactory(
          initialState: state,
          feature: Wrong.feature,
          settings: TreeSettings(monitors: [outbox.saving([wrong], Journal(of: Wrong.feature, coding: .binary))])
        )
        await store.dispatchAndWait(1)
        try await outbox.close()
      }
      log.faults = .isDown
      for _ in 0..<2 {
        let outbox = try Storage(folder, durability: .full)
        let ann = try await client("Ann", of: log, outbox: outbox)
        #expect(ann.status.state.position == 0)
        #expect(ann.confirmed.state == Ledger())
        try await outbox.close()
      }
      log.faults = []
      let ann = try await client("Ann", of: log, outbox: Storage(folder, durability: .full))
      await ann.caughtUp(to: 2)
      #expect(ann.confirmed.state.entries == ["milk", "bread"])
      #expect(ann.state == ann.confirmed.state)
    }
  }

  @Test func `Y1 a confirmed state by another version of the reducer is read from the log again`() async throws {
    let folder = SimulatedFolder()
    func open(_ version: Int) async throws -> SharedLedger {
      try await SharedStore(
        initialState: Ledger(), feature: ledgerFeature(), log: log, client: "Ann",
        outbox: Storage(folder.afterKill(), durability: .full), form: SharedForm(reducerVersion: version))
    }
    do {
      let ann = try await client("Ann", of: log, outbox: Storage(folder, durability: .full))
      try await ann.dispatchConfirmed(.add("milk"))
      log.faults = .isDown
      await ann.dispatchAndWait(.add("bread"))
      try await ann.flush()
    }
    let newer = try await open(2)
    #expect(newer.confirmed.state == Ledger())
    #expect(newer.state.entries == ["bread"])
    log.faults = []
    let again = try await open(1)
    await again.caughtUp(to: 2)
    #expect(again.state.entries == ["milk", "bread"])
  }
}

/// A state whose part is stored under the name of another program's part.
private struct Wrong: Sendable {
  var text = "nonsense"

  static let feature = Feature<Wrong, Int> { state, number in state.text = "\(number)" }
}
