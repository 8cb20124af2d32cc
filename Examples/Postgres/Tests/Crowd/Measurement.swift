import Arbor
import ArborPersistence
import ArborSync
import Foundation

/// Measures shared stores on a log: the time for a confirmation, the number of confirmed actions per second, and the
/// time for a new client to begin with a million actions before a snapshot.
struct Measurement {
  private let log: String
  private let folder = FileManager.default.temporaryDirectory.appending(path: "crowd.\(UUID())")

  init(of log: String) {
    self.log = log
  }

  func run() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try await confirmations()
    try await throughput(clients: 10, batch: 50)
    try await beginning(behind: 1_000_000)
  }

  private func client(_ name: String, batch: Int = 1_000) async throws -> SharedStore<Work, Step> {
    let outbox = try Storage(at: folder.appending(path: name), durability: .none)
    var settings = SyncSettings()
    settings.batch = batch
    return try await SharedStore(
      initialState: Work(), feature: Work.feature, log: openLog(log), client: name, outbox: outbox, sync: settings)
  }

  private func confirmations() async throws {
    let shared = try await client("one")
    try await shared.dispatchConfirmed(.random())
    var times: [Double] = []
    for _ in 0..<1_000 {
      let begin = ContinuousClock.now
      try await shared.dispatchConfirmed(.random())
      times.append(begin.duration(to: .now) / .milliseconds(1))
    }
    times.sort()
    print(String(format: "a confirmation: %.2f ms (p50), %.2f ms (p95)", times[500], times[950]))
  }

  /// Measures a throughput: each client sends a batch, and the next one when it is confirmed.
  private func throughput(clients count: Int, batch: Int) async throws {
    var clients: [SharedStore<Work, Step>] = []
    for number in 0..<count { clients.append(try await client("\(number)")) }
    for client in clients { try await client.dispatchConfirmed(.random()) }
    let (begin, rounds) = (ContinuousClock.now, 100)
    try await withThrowingTaskGroup { group in
      for client in clients {
        group.addTask {
          for _ in 0..<rounds {
            client.dispatch(batch: (1..<batch).map { _ in Step.random() })
            try await client.dispatchConfirmed(.random())
          }
        }
      }
      try await group.waitForAll()
    }
    let seconds = begin.duration(to: .now) / .seconds(1)
    print(
      String(
        format: "%d clients with batches of %d: %.0f actions a second", count, batch,
        Double(count * batch * rounds) / seconds))
  }

  private func beginning(behind count: Int) async throws {
    let filler = LogClient("filler")
    let log = try openLog(log)
    let found = try await log.connect(filler, reducerVersion: 1)
    let coder = JSONEncoder()
    for first in stride(from: 1, through: count, by: 10_000) {
      let actions = try (0..<10_000).map { _ in try coder.encode(Step.random()) }
      try await log.append(ActionBatch(of: filler, first: first, version: 1, actions), to: found.id)
    }
    let writer = try await client("writer", batch: 10_000)
    let end = found.end + count
    for await status in writer.status.states() where status.position >= end { break }
    // This client must write the snapshot after an action of its own, before it reads the next action.
    for _ in 0..<2 { try await writer.dispatchConfirmed(.random()) }
    let begin = ContinuousClock.now
    let new = try await client("new")
    for await status in new.status.states() where status.position > end { break }
    print(
      String(
        format: "a new client after %d actions: %.0f ms", count, begin.duration(to: .now) / .milliseconds(1)))
  }
}
