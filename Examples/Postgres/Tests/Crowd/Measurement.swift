import Arbor
import ArborPersistence
import ArborSync
import Foundation

/// Measures shared stores on a log: how long a confirmation takes, and how many actions are confirmed in a second.
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
  }

  private func client(_ name: String) async throws -> SharedStore<Work, Step> {
    let outbox = try Storage(at: folder.appending(path: name), durability: .none)
    return try await SharedStore(
      initialState: Work(), feature: Work.feature, log: openLog(log), client: name, outbox: outbox)
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

  /// Each client sends a batch, and the next one when that is confirmed.
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
}
