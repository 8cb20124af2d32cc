import Arbor
import ArborPersistence
import ArborSync
import ArborTesting
import ArborUI
import Dispatch
import SimulatedFiles
import TestSupport
import Testing

typealias SharedLedger = SharedStore<Ledger, LedgerAction>

/// Makes a client of a log.
func client(
  _ name: String,
  of log: any OrderedLog,
  outbox: Storage = .inMemory(),
  settings: SyncSettings = SyncSettings(),
  clock: any Clock<Duration> = ContinuousClock(),
  feature: Feature<Ledger, LedgerAction> = ledgerFeature()
) async throws -> SharedLedger {
  try await SharedStore(
    initialState: Ledger(),
    feature: feature,
    log: log,
    client: name,
    outbox: outbox,
    sync: settings,
    settings: TreeSettings(clock: clock)
  )
}

extension SharedLedger {
  /// Returns once the log has answered, nothing waits, and everything up to a position is confirmed.
  func caughtUp(to position: Int) async {
    for await status in status.states()
    where status.isConnected && status.waiting == 0 && status.position >= position { return }
  }
}

@Suite("Shared stores")
struct SharedStoreTests {
  let log = MemoryLog()

  @Test func `an own action is shown immediately, and confirmed once the log has it`() async throws {
    let ann = try await client("Ann", of: log)
    await ann.dispatchAndWait(.add("milk"))
    #expect(ann.state.entries == ["milk"])
    let confirmation = try await ann.dispatchConfirmed(.add("bread"))
    #expect(confirmation.confirmed.entries == ["milk", "bread"])
    #expect(confirmation.shown.entries == ["milk", "bread"])
    #expect(ann.confirmed.state.entries == ["milk", "bread"])
    #expect(ann.status.state.waiting == 0)
    #expect(ann.status.state.position == 2)
    #expect(ann.status.state.isConnected)
  }

  @Test func `an action is in the confirmed state when its confirmation is reported`() async throws {
    let ann = try await client("Ann", of: log)
    let found = await withCheckedContinuation { continuation in
      ann.session.root.dispatch(.add("milk"), to: ann.asStore) { _ in
      } completion: { [confirmed = ann.confirmed, status = ann.status] _ in
        continuation.resume(returning: (confirmed.state.entries, status.state.waiting))
      }
    }
    #expect(found == (["milk"], 0))
  }

  @Test func `a shared store always has a state, for derived values, selectors and screens`() async throws {
    let ann = try await client("Ann", of: log)
    await ann.dispatchAndWait(.add("milk"))
    let total: Derived<Int> = ann.derived(\.total)
    let count: Int = ann.select(StateSelector(\Ledger.entries) { $0.count })
    let shown = await MainActor.run { ann.observable().total }
    #expect((total.value, count, shown) == (1, 1, 1))
  }

  @Test func `Y1 all clients reach the same state, regardless of the order in which they showed the actions`()
    async throws
  {
    let ann = try await client("Ann", of: log)
    let ben = try await client("Ben", of: log)
    await ann.caughtUp(to: 0)
    log.faults = .isDown
    for store in [ann, ben] {
      await store.dispatchAndWait(.add("of \(store === ann ? "Ann" : "Ben")"))
      await store.dispatchAndWait(.double)
      #expect(store.state.total == 2)
    }
    log.faults = []
    try await ann.dispatchConfirmed(.add("last"))
    await ann.caughtUp(to: 5)
    await ben.caughtUp(to: 5)
    #expect(ann.state == ben.state)
    #expect(ann.state == ann.confirmed.state)
    #expect(ann.state.entries.count == 3)
  }

  @Test func `Y5 earlier actions of other clients are one step of the shown state, reported with both states`()
    async throws
  {
    // Ann's attempts to reach the log depend on this clock.
    let clock = TestClock()
    let ann = try await client("Ann", of: log, clock: clock)
    let ben = try await client("Ben", of: log)
    try await ann.dispatchConfirmed(.add("first"))
    await ben.caughtUp(to: 1)
    let rebases = ann.activities(of: Rebase<Ledger>.self)
    log.faults = .isDown
    await ann.dispatchAndWait(.double)
    #expect(ann.state.total == 2)
    for await status in ann.status.states() where !status.isConnected { break }
    log.faults = []
    try await ben.dispatchConfirmed(.add("second"))
    #expect(ann.state.total == 2)
    await ann.dispatchAndWait(.add("third"))
    let count = RecordedValues<Int>()
    let subscription = ann.observe(initial: false) { (ledger: Ledger) in count.append(ledger.total) }
    while ann.status.state.waiting > 0 {
      clock.advance(by: .seconds(10))
      await Task.yield()
    }
    #expect(ann.state == ann.confirmed.state)
    // One step, although two actions have moved.
    #expect(count.values == [5])
    subscription.cancel()
    for await rebase in rebases {
      #expect(rebase.before.total == 3)
      #expect(rebase.after.total == 5)
      #expect(rebase.actions == 2)
      break
    }
  }

  @Test func `finish sends actions until its time is over, and returns how many remain`() async throws {
    let (folder, clock) = (SimulatedFolder(), TestClock())
    let ann = try await client("Ann", of: log, outbox: Storage(folder, durability: .full), clock: clock)
    await ann.dispatchAndWait(.add("milk"))
    #expect(try await ann.finish(within: .seconds(10)) == 0)
    log.faults = .isDown
    await ann.dispatchAndWait(.add("bread"))
    let ending = Task { try await ann.finish(within: .seconds(10)) }
    let watching = Task {
      while !Task.isCancelled {
        clock.advance(by: .seconds(1))
        await Task.yield()
      }
    }
    #expect(try await ending.value == 1)
    watching.cancel()
    let again = try await client("Ann", of: log, outbox: Storage(folder.afterKill(), durability: .full))
    #expect(again.state.entries == ["milk", "bread"])
    #expect(again.confirmed.state.entries == ["milk"])
  }

  @Test func `Y1 values that an action's coding omits are lost everywhere, also at its sender`() async throws {
    struct Note: Codable, Equatable, Sendable {
      let text: String
      var mark = ""

      private enum CodingKeys: CodingKey {
        case text
      }
    }
    struct Notes: Codable, Equatable, Sendable {
      var all: [String] = []
      var last: [String] = []
    }
    let reduce: Reducer<[String], Note> = { notes, note in notes.append(note.text + note.mark) }
    // This feature passes the action that its interceptors have received to the reducer.
    let scoped = Feature<[String], Note>(interceptors: [Interceptor { _, _ in .pass }], reducer: reduce)
      .scoped(to: \Notes.last, action: { $0 }, extract: { $0 })
    let feature = Feature<Notes, Note>.combined(
      Feature { notes, note in reduce(&notes.all, note) }, scoped)
    let ann = try await SharedStore(
      initialState: Notes(), feature: feature, log: log, client: "Ann", outbox: .inMemory())
    let ben = try await SharedStore(
      initialState: Notes(), feature: feature, log: log, client: "Ben", outbox: .inMemory())
    let outcome = try await ann.dispatchConfirmed(Note(text: "milk", mark: "!"))
    for await status in ben.status.states() where status.position == 1 { break }
    for state in [outcome.shown, outcome.confirmed, ann.state, ann.confirmed.state, ben.state] {
      #expect(state == Notes(all: ["milk"], last: ["milk"]))
    }
  }

  @Test func `a canceled task does not wait for the effects of an action that cannot be confirmed`() async throws {
    let performed = RecordedValues<String>()
    let feature = ledgerFeature(effects: { _, _ in .run { _ in performed.append("effect") } })
    let ann = try await client("Ann", of: log, feature: feature)
    await ann.caughtUp(to: 0)
    log.faults = .isDown
    let task = Task { [store = ann.asStore] in await store.perform(.add("milk")) }
    for await status in ann.status.states() where status.waiting == 1 { break }
    task.cancel()
    await task.value
    log.faults = []
    try await ann.dispatchConfirmed(.add("bread"))
    await ann.settled()
    #expect(ann.confirmed.state.entries == ["milk", "bread"])
    // An effect that was canceled before it began isn't performed.
    #expect(performed.values == ["effect"])
  }

  /// Makes a client whose time and work advance in steps.
  private func stepped(
    _ log: any OrderedLog,
    _ settings: SyncSettings,
    _ clock: TestClock,
    _ executor: ManualExecutor
  ) async throws -> SharedLedger {
    let outbox = SimulatedOutbox(SimulatedDisk()) {
    } fails: {
      false
    }
    return try await SharedStore(
      Ledger(), ledgerFeature(), log, LogClient("Ann"), outbox, SharedForm(), settings,
      .unspecified, TreeSettings(clock: clock, executor: executor))
  }

  @Test func `a log that cannot be reached is called less and less often`() async throws {
    let (clock, executor) = (TestClock(), ManualExecutor(seed: 1))
    let connection = CountingLog(log, refuse: { _ in .unreachable("no") })
    let ann = try await stepped(connection, SyncSettings(), clock, executor)
    ann.dispatch(.add("milk"))
    for _ in 0..<600 {
      executor.run()
      clock.advance(by: .milliseconds(100))
    }
    // Every ten seconds in the end, and faster at first. Without the backoff, it would be every tenth of a second.
    #expect((2...16).contains(connection.connected.values.count))
    withExtendedLifetime(ann) {}
  }

  @Test func `a log is contacted within the client's lease, even with a longer interval`() async throws {
    let (clock, executor) = (TestClock(), ManualExecutor(seed: 1))
    let leased = MemoryLog(lease: .seconds(100), clock: clock)
    var settings = SyncSettings()
    settings.pollInterval = .seconds(10_000)
    let connection = CountingLog(leased)
    let ann = try await stepped(connection, settings, clock, executor)
    executor.run()
    let before = connection.read.values.count
    for _ in 0..<4 {
      clock.advance(by: .seconds(25))
      executor.run()
    }
    #expect(connection.read.values.count == before + 4)
    withExtendedLifetime(ann) {}
  }

  @Test(arguments: [Duration.zero, .seconds(-5)])
  func `a log is never called without a pause, regardless of the settings`(pause: Duration) async throws {
    let (clock, executor) = (TestClock(), ManualExecutor(seed: 1))
    var settings = SyncSettings()
    settings.pollInterval = pause
    let connection = CountingLog(log)
    let ann = try await stepped(connection, settings, clock, executor)
    executor.run()
    let before = connection.read.values.count
    for _ in 0..<10 {
      clock.advance(by: .milliseconds(10))
      executor.run()
    }
    #expect(connection.read.values.count == before + 10)
    withExtendedLifetime(ann) {}
  }

  @Test func `P1 a journal of a shared store includes the earlier actions of other clients`() async throws {
    let part = Persisted(\Ledger.self, as: "ledger")
    let journal = Journal(of: ledgerFeature())
    var kept: [(folder: SimulatedFolder, storage: Storage, store: SharedLedger)] = []
    for name in ["Ann", "Ben"] {
      let folder = SimulatedFolder()
      let storage = try Storage(folder, durability: .full)
      let (state, _) = try await storage.load(into: Ledger(), [part], journal)
      let store = try await SharedStore(
        initialState: state,
        feature: ledgerFeature(),
        log: log,
        client: name,
        outbox: .inMemory(),
        settings: TreeSettings(monitors: [storage.saving([part], journal, groupedFor: .seconds(100_000))])
      )
      await store.caughtUp()
      kept.append((folder, storage, store))
    }
    log.faults = .isDown
    for (_, storage, store) in kept {
      await store.dispatchAndWait(.add(store.client.name))
      await store.dispatchAndWait(.double)
      try await storage.flush()
    }
    log.faults = []
    try await kept[0].store.dispatchConfirmed(.add("last"))
    for (folder, storage, store) in kept {
      await store.caughtUp(to: 5)
      try await storage.flush()
      let again = try Storage(folder.afterKill(), durability: .full)
      #expect(try await again.load(into: Ledger(), [part], journal).state == store.state)
    }
  }
}
