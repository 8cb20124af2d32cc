internal import ArborPersistence
internal import Foundation

/// The content of the bytes of a snapshot.
struct SnapshotContent: Codable {
  /// The encoded state.
  let state: Data

  /// The clients whose the jobs are that are in progress, by the names of the jobs.
  let jobs: [String: UInt64]

  init(_ state: Data, jobs: [String: UInt64]) {
    self.state = state
    self.jobs = jobs
  }

  init(_ snapshot: LogSnapshot) throws {
    self = try BinaryCoding().decode(SnapshotContent.self, from: snapshot.bytes)
  }

  var bytes: Data {
    get throws { try BinaryCoding().encode(self) }
  }

  func state<State, Action>(_ form: SharedForm<State, Action>, version: Int) throws -> State {
    try form.state(state, version: version)
  }
}
