import Arbor
import ArborPersistence
import ArborSync
import Foundation

/// Shared stores: the cost of other participants.
let sharedRows = [
  Row(
    workload: "a rebase of 1,000 waiting actions over 1,000 that came, in ms",
    limit: "only the reducers, and 160,000 objects",
    budget: 1,
    rounds: 3
  ) { scale in
    let count = scale.count(1_000)
    return (
      work: { waiting { try await Rebasing(count).measure() } },
      limit: {
        nanoseconds(perOperationOf: 1) {
          var state = Tally()
          for number in 0..<2 * count { Tally.reduce(&state, number) }
          consume(state)
        } / 1e6 + nanoseconds(ofObjects: 160_000) / 1e6
      }
    )
  },
  Row(workload: "a shared action until it is shown", limit: "an action of a store", budget: nil) { scale in
    let count = scale.count(10_000)
    let log = MemoryLog()
    log.faults = .isDown
    let plain = StoreFactory(initialState: Tally(), feature: Tally.feature)
    return (
      work: {
        let shared = waiting { try await Tally.shared(by: log) }
        return nanoseconds(perOperationOf: count) {
          for number in 0..<count { shared.dispatchAndWait(number) }
        }
      },
      limit: {
        nanoseconds(perOperationOf: count) {
          for number in 0..<count { plain.dispatchAndWait(number) }
        }
      }
    )
  },
  Row(
    workload: "a shared action of 10,000 until it is confirmed, by a log in memory",
    limit: "an action of a store",
    budget: nil,
    rounds: 3
  ) { scale in
    let count = scale.count(10_000)
    let plain = StoreFactory(initialState: Tally(), feature: Tally.feature)
    return (
      work: {
        let shared = waiting { try await Tally.shared(by: MemoryLog()) }
        return nanoseconds(perOperationOf: count) {
          for number in 0..<count { shared.dispatch(number) }
          waiting { await shared.hasConfirmed(count) }
        }
      },
      limit: {
        nanoseconds(perOperationOf: count) {
          for number in 0..<count { plain.dispatch(number) }
          consume(plain.state)
        }
      }
    )
  },
  Row(
    workload: "a new client on a log of 1,000,000 with a snapshot, in ms",
    limit: Row.text(ofObjects: 33e6),
    budget: 1,
    rounds: 1
  ) { scale in
    let count = scale.count(1_000_000)
    let log = MemoryLog()
    waiting { try await Tally.fill(log, count) }
    return (
      work: {
        nanoseconds(perOperationOf: 1) {
          waiting {
            let shared = try await Tally.shared(by: log)
            await shared.hasConfirmed(count)
          }
        } / 1e6
      },
      limit: { nanoseconds(ofObjects: 33e6) / 1e6 }
    )
  },
]

/// A state that differs for each order of the actions.
private struct Tally: Codable, Equatable, Sendable {
  var count = 0
  var sums: [Int] = Array(repeating: 0, count: 100)

  static func reduce(_ state: inout Tally, _ number: Int) {
    state.count += 1
    state.sums[number % 100] = (state.sums[number % 100] &* 31 &+ number) % 1_000_003
  }

  static let feature = Feature<Tally, Int>(reducer: reduce)

  static func shared(
    by log: MemoryLog,
    feature: Feature<Tally, Int> = feature,
    _ settings: SyncSettings = SyncSettings()
  ) async throws -> SharedStore<Tally, Int> {
    try await SharedStore(
      initialState: Tally(), feature: feature, log: log, client: "client", outbox: .inMemory(), sync: settings)
  }

  /// Fills a log with actions, and with a snapshot near its end.
  static func fill(_ log: MemoryLog, _ count: Int) async throws {
    let client = LogClient("filler")
    let found = try await log.connect(client, reducerVersion: 1)
    var sent = 0
    while sent < count {
      let batch = (sent..<min(sent + 1_000, count)).map { Data("\($0)".utf8) }
      // The last ones come after the snapshot.
      if count - sent <= 1_000, count > 1_000 { try await snapshot(log, sent) }
      try await log.append(ActionBatch(of: client, first: sent + 1, version: 1, batch), to: found.id)
      sent += batch.count
    }
  }

  /// Makes a client write its snapshot after the actions up to a position, with one action of its own.
  private static func snapshot(_ log: MemoryLog, _ position: Int) async throws {
    var settings = SyncSettings()
    settings.snapshotInterval = position
    let shared = try await shared(by: log, settings)
    let id = try await log.connect(LogClient("reader"), reducerVersion: 1).id
    // A client notifies the others of its snapshot.
    let signals = log.signals()
    try await shared.dispatchConfirmed(0)
    for await _ in signals where try await log.snapshot(in: id) != nil { break }
  }
}

extension SharedStore {
  /// Returns once a number of actions are confirmed.
  fileprivate func hasConfirmed(_ count: Int) async {
    for await status in status.states() where status.position >= count { return }
  }
}

/// A client that works while the connection is down, while others do too.
private struct Rebasing {
  let count: Int

  init(_ count: Int) {
    self.count = count
  }

  /// The milliseconds of the step in which its own actions are reduced again.
  func measure() async throws -> Double {
    let log = MemoryLog()
    let times = Times()
    // First requested when the first action of another client is confirmed.
    let noting = Feature<Tally, Int>(effects: { _, _ in times.begin() }).performedEverywhere()
    let shared = try await Tally.shared(by: log, feature: .combined(Tally.feature, noting))
    for await status in shared.status.states() where status.isConnected { break }
    log.faults = .isDown
    for number in 0..<count { shared.dispatch(number) }
    _ = shared.state
    log.faults = .losesSignals
    let other = LogClient("other")
    let found = try await log.connect(other, reducerVersion: 1)
    let batch = (0..<count).map { Data("\($0)".utf8) }
    try await log.append(ActionBatch(of: other, first: 1, version: 1, batch), to: found.id)
    let subscription = shared.observe(initial: false) { (_: Tally) in times.end() }
    log.faults = []
    shared.dispatch(0)
    await shared.hasConfirmed(count)
    withExtendedLifetime(subscription) {}
    return times.milliseconds
  }

  private final class Times: @unchecked Sendable {
    // Sendable because only the tree's queue writes, and it is read afterward.
    private var beginning: ContinuousClock.Instant?
    private var ending: ContinuousClock.Instant?

    func begin() -> Effect<Int> {
      beginning = beginning ?? .now
      return .none
    }

    func end() {
      if beginning != nil { ending = ending ?? .now }
    }

    var milliseconds: Double { beginning!.duration(to: ending!) / .milliseconds(1) }
  }
}
