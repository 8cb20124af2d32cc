import Arbor
import ArborPersistence
import Foundation

/// Counts in four tasks at once, and reports the durably stored numbers, until it is killed.
///
/// - First it reports the stored numbers that it has found, as `found 12 7 9 3`. Then it reports the last number of a
///   task, as `2 10`.
@main
enum Writer {
  static func main() async throws {
    guard CommandLine.arguments.count == 3, let way = Way(rawValue: CommandLine.arguments[1]) else {
      fatalError("usage: writer \(Way.allCases.map(\.rawValue).joined(separator: "|")) FOLDER")
    }
    let storage = try Storage(at: URL(fileURLWithPath: CommandLine.arguments[2]))
    let (store, report) = try await way.open(storage)
    guard report.findings.allSatisfy({ !$0.isDamage }), report.keptFiles.isEmpty else { fatalError("\(report)") }
    say("found " + store.state.numbers.map(String.init).joined(separator: " "))
    await withThrowingTaskGroup { group in
      for task in 0..<Counts.tasks {
        group.addTask {
          for number in (store.state.numbers[task] + 1)... {
            try await store.dispatchDurably(.count(task: task, number))
            say("\(task) \(number)")
          }
        }
      }
    }
  }

  /// Writes a line immediately, so that its reader receives it even if this process is killed.
  private static func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    precondition(write(STDOUT_FILENO, bytes, bytes.count) == bytes.count)
  }
}

/// The last number of each task, and all of them in order.
struct Counts: Codable, Equatable, Sendable {
  static let tasks = 4

  var numbers = Array(repeating: 0, count: tasks)
  var history: [Int] = []

  static let feature = Feature<Counts, CountAction> { state, action in
    guard case .count(let task, let number) = action else { return }
    precondition(number == state.numbers[task] + 1, "\(number) of task \(task) follows \(state.numbers[task])")
    state.numbers[task] = number
    state.history = state.history.suffix(1000) + [task]
  }
}

enum CountAction: Codable, Sendable {
  case count(task: Int, Int)
}

/// A way to store the counts.
enum Way: String, CaseIterable {
  case parts, journal, ahead

  func open(_ storage: Storage) async throws -> (StoreFactory<Counts, CountAction>, LoadReport) {
    let parts = [
      Persisted(\Counts.numbers, as: "numbers", coding: .binary), Persisted(\Counts.history, as: "history"),
    ]
    guard self != .parts else {
      let (state, report) = try await storage.load(into: Counts(), parts)
      let saving = storage.saving(parts)
      return (
        StoreFactory(
          initialState: state,
          feature: Counts.feature,
          settings: TreeSettings(monitors: [saving])
        ), report
      )
    }
    let journal = Journal(of: Counts.feature, coding: .binary, snapshotEvery: 20)
    let (state, report) = try await storage.load(into: Counts(), parts, journal)
    let saving = storage.saving(parts, journal)
    let ahead = Feature<Counts, CountAction>(interceptors: self == .ahead ? [saving.writeAhead()] : [])
    let feature = Feature<Counts, CountAction>.combined(Counts.feature, ahead)
    return (StoreFactory(initialState: state, feature: feature, settings: TreeSettings(monitors: [saving])), report)
  }
}
