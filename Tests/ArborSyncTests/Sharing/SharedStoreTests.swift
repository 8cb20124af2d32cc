import Arbor
import ArborPersistence
import ArborSync
import ArborTesting
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
    initialState: Ledger(), feature: feature, log: log, client: name, outbox: outbox, settings: settings,
    clock: clock)
}

extension SharedLedger {
  /// Returns once the log has answered, nothing waits, and everything up to a position is confirmed.
  func caughtUp(to position: Int = 0) async {
    for await status in status.states()
    where status.isConnected && status.waiting == 0 && status.position >= position { return }
  }
}

@Suite("Shared stores")
struct SharedStoreTests {
  let log = MemoryLog()

  @Test func `An own action is shown at once, and confirmed once the log has it`() async throws {
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

  @Test func `Y1 all clients have the same state, in whatever order they have shown it`() async throws {
    let ann = try await client("Ann", of: log)
    let ben = try await client("Ben", of: log)
    await ann.caughtUp()
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

  @Test func `Y5 what others have done first is one step of what is shown, told with both states`() async throws {
    // By this clock Ann tries again to reach the log.
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
    // One step, although two actions have changed their place.
    #expect(count.values == [5])
    subscription.cancel()
    for await rebase in rebases {
      #expect(rebase.before.total == 3)
      #expect(rebase.after.total == 5)
      #expect(rebase.actions == 2)
      break
    }
  }

  @Test func `A program that ends sends what it can in a time, and says how much is left`() async throws {
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
}
