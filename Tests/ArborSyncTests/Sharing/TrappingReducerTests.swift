import Arbor
import ArborPersistence
import ArborSync
import Foundation
import Testing

/// Clients whose reducer traps because of actions in the log, or waiting ones.
@Suite("Reducers that trap", .serialized)
struct TrappingReducerTests {
  struct Names: Codable, Equatable, Sendable {
    var names: [String] = []
  }

  enum Naming: Codable, Equatable, Sendable {
    case add(String)
  }

  typealias Client = SharedStore<Names, Naming>

  /// Traps if a name already exists.
  static let feature = Feature<Names, Naming> { state, action in
    switch action {
    case .add(let name):
      precondition(!state.names.contains(name), "the name \(name) exists")
      state.names.append(name)
    }
  }

  /// Accepts every name.
  static let mildFeature = Feature<Names, Naming> { state, action in
    if case .add(let name) = action { state.names.append(name) }
  }

  /// Makes a client with an outbox on the disk.
  static func client(
    _ name: String,
    in path: String,
    log: (any OrderedLog)? = nil,
    _ feature: Feature<Names, Naming> = feature
  ) async throws -> (store: Client, outbox: Storage) {
    let outbox = try Storage(at: URL(filePath: "\(path)/\(name)"))
    let log = try log ?? FileLog(at: URL(filePath: "\(path)/log"))
    let store = try await SharedStore(
      initialState: Names(), feature: feature, log: log, client: name, outbox: outbox)
    return (store, outbox)
  }

  private func withFolder(_ body: (_ path: String) async throws -> Void) async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "traps-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try await body(path)
  }

  /// Sends names to the log, with a reducer that accepts them.
  private func send(_ names: String..., in path: String) async throws {
    let (ben, outbox) = try await Self.client("Ben", in: path, Self.mildFeature)
    for name in names { try await ben.dispatchConfirmed(.add(name)) }
    try await outbox.close()
  }

  /// Runs a client in a separate process, which ends.
  private func end(in path: String) async {
    await #expect(processExitsWith: .failure) { [path = path as String] in
      let (ann, _) = try await TrappingReducerTests.client("Ann", in: path)
      await ann.caughtUp()
      // Reached only if it hasn't trapped.
      exit(0)
    }
  }

  /// Starts a client. Returns the reason why it has stopped, its shown state, and its status.
  private func start(in path: String) async throws -> (stop: SyncStop?, shown: [String], status: SyncStatus) {
    let (ann, outbox) = try await Self.client("Ann", in: path)
    let status = await ann.caughtUp()
    let shown = ann.state.names
    try await ann.flush()
    try await outbox.close()
    return (status.stop, shown, status)
  }

  @Test func `P6 Y4 a client that traps at a position starts, confirms the actions before, and reports the position`()
    async throws
  {
    try await withFolder { path in
      try await send("milk", "bread", "milk", "tea", in: path)
      await end(in: path)
      let (stop, shown, status) = try await start(in: path)
      #expect(stop == .ended(position: 3))
      #expect(shown == ["milk", "bread"])
      #expect(status.position == 2)
      // Something else may have ended the process, so it tries once more, but never again.
      await end(in: path)
      for _ in 0..<3 { #expect(try await start(in: path).stop == .ended(position: 3)) }
    }
  }

  @Test func `P6 Y2 Y4 a client whose own actions clash with others' starts, and shows and keeps them`() async throws {
    try await withFolder { path in
      let nowhere = MemoryLog()
      nowhere.faults = .isDown
      do {
        let (ann, outbox) = try await Self.client("Ann", in: path, log: nowhere)
        await ann.dispatchAndWait(.add("milk"))
        await ann.dispatchAndWait(.add("tea"))
        try await ann.flush()
        try await outbox.close()
      }
      try await send("bread", "milk", in: path)
      await end(in: path)
      let (stop, shown, status) = try await start(in: path)
      #expect(stop == .ended(position: 2))
      #expect(shown == ["milk", "tea"])
      #expect(status.waiting == 2)
      // Another action arrives, on top of which it would trap as well.
      try await send("rye", in: path)
      await end(in: path)
      for _ in 0..<3 { #expect(try await start(in: path).status.waiting == 2) }
    }
  }

  /// Ends the process while the reducer handles "bread".
  private static func exitWhileReducing(in path: String) async throws {
    let ending = Feature<Names, Naming> { _, action in
      if action == .add("bread") { exit(1) }
    }
    let (ann, _) = try await client("Ann", in: path, ending)
    await ann.caughtUp()
    exit(0)
  }

  @Test func `P6 a process that ended for another reason continues at the start after the next`() async throws {
    try await withFolder { path in
      try await send("milk", "bread", in: path)
      await #expect(processExitsWith: .failure) { [path = path as String] in
        try await TrappingReducerTests.exitWhileReducing(in: path)
      }
      #expect(try await start(in: path).stop == .ended(position: 2))
      let (stop, shown, status) = try await start(in: path)
      #expect(stop == nil)
      #expect(shown == ["milk", "bread"])
      #expect(status.isCaughtUp)
    }
  }

  @Test func `P6 a process that something else ended twice, but not in a row, continues`() async throws {
    try await withFolder { path in
      try await send("milk", "bread", in: path)
      for _ in 0..<2 {
        await #expect(processExitsWith: .failure) { [path = path as String] in
          try await TrappingReducerTests.exitWhileReducing(in: path)
        }
        #expect(try await start(in: path).stop == .ended(position: 2))
        let (stop, shown, _) = try await start(in: path)
        #expect(stop == nil)
        #expect(shown == ["milk", "bread"])
        // It has lost all but the note of what it reduces.
        for name in try FileManager.default.contentsOfDirectory(atPath: "\(path)/Ann") where name != "reducing" {
          try FileManager.default.removeItem(atPath: "\(path)/Ann/\(name)")
        }
      }
    }
  }

  @Test func `a new client has caught up when it has all actions of the log`() async throws {
    try await withFolder { path in
      let log = MemoryLog()
      let (ben, _) = try await Self.client("Ben", in: path, log: log)
      for number in 0..<20 { try await ben.dispatchConfirmed(.add("\(number)")) }
      let (ann, _) = try await Self.client("Ann", in: path, log: log)
      let status = await ann.caughtUp()
      #expect(status.isCaughtUp && status.position == 20)
      #expect(ann.confirmed.state.names.count == 20)
      // A canceled call doesn't wait for a log that cannot be reached.
      let down = MemoryLog()
      down.faults = .isDown
      let (carl, _) = try await Self.client("Carl", in: path, log: down)
      let waiting = Task { await carl.caughtUp() }
      waiting.cancel()
      #expect(await !waiting.value.isCaughtUp)
    }
  }
}
