import Arbor
import ArborPersistence
import ArborSync
import TestSupport
import Testing

typealias SharedLedger = SharedStore<Ledger, LedgerAction>

/// Makes a client of a log.
func client(
  _ name: String,
  of log: any OrderedLog,
  outbox: Storage = .inMemory(),
  settings: SyncSettings = SyncSettings(),
  feature: Feature<Ledger, LedgerAction> = ledgerFeature()
) async throws -> SharedLedger {
  try await SharedStore(
    initialState: Ledger(), feature: feature, log: log, client: name, outbox: outbox, settings: settings)
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
    let ann = try await client("Ann", of: log)
    let ben = try await client("Ben", of: log)
    try await ann.dispatchConfirmed(.add("first"))
    await ben.caughtUp(to: 1)
    let rebases = ann.activities(of: Rebase<Ledger>.self)
    log.faults = .isDown
    await ann.dispatchAndWait(.double)
    #expect(ann.state.total == 2)
    log.faults = .losesSignals
    try await ben.dispatchConfirmed(.add("second"))
    log.faults = []
    try await ann.dispatchConfirmed(.add("third"))
    #expect(ann.state == ann.confirmed.state)
    #expect(ann.state.total == 5)
    for await rebase in rebases {
      #expect(rebase.before.total == 2 || rebase.before.total == 3)
      #expect(rebase.after.total >= 4)
      #expect(rebase.actions >= 1)
      break
    }
  }
}
