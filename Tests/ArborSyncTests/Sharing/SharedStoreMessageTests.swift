import Arbor
import ArborSync
import TestSupport
import Testing

@Suite("Messages between clients, and confirmations")
struct SharedStoreMessageTests {
  private struct Cursor: Codable, Equatable, Sendable {
    let line: Int
  }

  private let log = MemoryLog()

  @Test func `all clients receive a message with its sender, and the log does not store it`() async throws {
    let ann = try await client("Ann", of: log)
    let ben = try await client("Ben", of: log)
    await ann.caughtUp(to: 0)
    await ben.caughtUp(to: 0)
    let (came, send) = AsyncStream<String>.makeStream()
    let subscriptions = [ann, ben].map { store in
      store.observe(messages: Cursor.self) { cursor, sender in send.yield("\(sender.name) is at \(cursor.line)") }
    }
    let others = ben.observe(messages: Int.self) { _, _ in Issue.record("a message of another type was received") }
    try await ann.broadcast(Cursor(line: 3))
    var texts: [String] = []
    for await text in came.prefix(2) { texts.append(text) }
    #expect(texts == ["Ann is at 3", "Ann is at 3"])
    #expect(ann.status.state.position == 0)
    withExtendedLifetime((subscriptions, others)) {}
  }

  @Test func `a message that is too long, or sent while the log cannot be reached, is an error`() async throws {
    let ann = try await client("Ann", of: log)
    await ann.caughtUp(to: 0)
    await #expect(throws: LogError.self) { try await ann.broadcast(String(repeating: "x", count: 5000)) }
    log.faults = .isDown
    await #expect(throws: LogError.unreachable("the connection is down")) { try await ann.broadcast(Cursor(line: 1)) }
  }

  @Test func `the confirmation of a dropped action is an error`() async throws {
    let feature = ledgerFeature(interceptors: [Interceptor { action, _ in action == .double ? .drop : .pass }])
    let ann = try await client("Ann", of: log, feature: feature)
    await #expect(throws: ConfirmationError.notReduced) { try await ann.dispatchConfirmed(.double) }
    try await ann.dispatchConfirmed(.add("milk"))
  }

  @Test func `a canceled task stops waiting, and its action is still confirmed`() async throws {
    let ann = try await client("Ann", of: log)
    await ann.caughtUp(to: 0)
    log.faults = .isDown
    let task = Task { try await ann.dispatchConfirmed(.add("milk")) }
    for await status in ann.status.states() where status.waiting == 1 { break }
    task.cancel()
    await #expect(throws: ConfirmationError.cancelled) { try await task.value }
    log.faults = []
    await ann.caughtUp(to: 1)
    #expect(ann.confirmed.state.entries == ["milk"])
  }

  @Test func `callers that wait for a confirmation are notified when the store is released`() async throws {
    var ann: SharedLedger? = try await client("Ann", of: log)
    await ann?.caughtUp(to: 0)
    log.faults = .isDown
    let session = ann!.session
    let status = ann!.status
    let store = ann!.asStore
    let (ended, end) = AsyncStream<Bool>.makeStream()
    session.root.dispatch(.add("milk"), to: store) { _ in
    } completion: {
      end.yield($0 == nil)
    }
    for await status in status.states() where status.waiting == 1 { break }
    ann = nil
    for await isNil in ended.prefix(1) { #expect(isNil) }
  }

  @Test func `Y3 interceptors run once, and stamp values that must be the same everywhere`() async throws {
    let count = RecordedValues<Int>()
    let feature = ledgerFeature(interceptors: [
      .stamping(by: { Stamp(seed: 7) }) { action, stamp in
        count.append(1)
        return if case .add("?") = action { .add("seed \(stamp().seed)") } else { nil }
      }
    ])
    let ann = try await client("Ann", of: log, feature: feature)
    let ben = try await client("Ben", of: log, feature: feature)
    try await ann.dispatchConfirmed(.add("?"))
    await ben.caughtUp(to: 1)
    #expect(ann.confirmed.state.entries == ["seed 7"])
    #expect(ben.confirmed.state.entries == ["seed 7"])
    #expect(count.values.count == 1)
  }

  @Test func `Y6 a child's own state is local, and its reducer runs once`() async throws {
    let ann = try await client("Ann", of: log)
    let ben = try await client("Ben", of: log)
    try await ben.dispatchConfirmed(.add("first"))
    await ann.caughtUp(to: 1)
    let child = ann.asStore.childStore(initialState: 0) { (state: inout Int, _: LedgerAction) in state += 1 }
    log.faults = .isDown
    await child.dispatchAndWait(.double)
    log.faults = .losesSignals
    try await ben.dispatchConfirmed(.add("second"))
    log.faults = []
    await child.dispatchAndWait(.add("third"))
    await ann.caughtUp(to: 4)
    let state = try #require(child.state)
    #expect(state.0.entries == ["first", "second", "third"])
    #expect(state.1 == 2)
    await ben.caughtUp(to: 4)
    #expect(ben.state == ann.state)
  }
}
