internal import ArborPersistence
internal import Foundation

/// The content of a snapshot's bytes.
struct SnapshotContent: Codable {
  /// The error of a snapshot that differs from the one that was given to the log.
  struct Changed: Error {}

  /// The encoded state.
  let state: Data

  /// The owners of the jobs in progress, by the names of the jobs.
  let jobs: [String: UInt64]

  /// The checksum of the state and of everything that the log stores next to the bytes.
  private let checksum: UInt32

  /// Makes a snapshot of the confirmed state.
  ///
  /// - Parameters:
  ///   - state: The encoded state.
  ///   - version: The version of the state's type.
  ///   - progress: The progress at which the state is confirmed.
  static func snapshot(of state: Data, version: Int, _ progress: OutboxProgress) throws -> LogSnapshot {
    let content = SnapshotContent(
      state: state,
      jobs: progress.jobs,
      checksum: checksum(of: state, at: progress.position, version, progress.numbers)
    )
    return LogSnapshot(
      position: progress.position,
      numbers: progress.numbers,
      version: version,
      bytes: try BinaryCoding().encode(content)
    )
  }

  private init(state: Data, jobs: [String: UInt64], checksum: UInt32) {
    (self.state, self.jobs, self.checksum) = (state, jobs, checksum)
  }

  /// Reads the content of a snapshot.
  ///
  /// - Throws: ``Changed`` if it isn't the content that was written for the snapshot's position.
  init(_ snapshot: LogSnapshot) throws {
    self = try BinaryCoding().decode(SnapshotContent.self, from: snapshot.bytes)
    let expected = Self.checksum(of: state, at: snapshot.position, snapshot.version, snapshot.numbers)
    guard checksum == expected else { throw Changed() }
  }

  private static func checksum(
    of state: Data,
    at position: Int,
    _ version: Int,
    _ numbers: [LogClient: Int]
  ) -> UInt32 {
    var checksum = Checksum()
    state.withUnsafeBytes { checksum.add($0) }
    var rest = [UInt64(position), UInt64(version)]
    for (client, number) in numbers.sorted(by: { ($0.key.incarnation, $0.value) < ($1.key.incarnation, $1.value) }) {
      rest += [client.incarnation, UInt64(number)]
    }
    rest.withUnsafeBytes { checksum.add($0) }
    return checksum.value
  }

  func state<State, Action>(_ form: SharedForm<State, Action>, version: Int) throws -> State {
    try form.state(state, version: version)
  }
}
