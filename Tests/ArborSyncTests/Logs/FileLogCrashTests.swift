import ArborPersistence
import ArborSync
import Foundation
import SimulatedFiles
import TestSupport
import Testing

/// A folder crashes after each operation, and loses, reorders or tears the bytes that weren't synced.
@Suite("Logs in folders that crash")
struct FileLogCrashTests {
  private let ann = LogClient("Ann", incarnation: 1)
  private let bob = LogClient("Bob", incarnation: 2)

  /// The actions that a client has sent, and the number of acknowledged ones.
  private struct Run {
    var id: UUID?
    var sent: [String] = []
    var acknowledged = 0
  }

  /// Appends, saves snapshots and compacts, until an operation fails.
  private func play(_ seed: UInt64, in folder: SimulatedFolder) async -> Run {
    var random = SplitMix64(seed: seed)
    var run = Run()
    do {
      var log = FileLog(folder, .full, fullLength: 200)
      let id = try await log.connect(ann, reducerVersion: 1).id
      run.id = id
      for _ in 0..<12 {
        // From time to time, another process takes over.
        if Int.random(in: 0..<3, using: &random) == 0 { log = FileLog(folder, .full, fullLength: 200) }
        switch Int.random(in: 0..<6, using: &random) {
        case 0..<4:
          let first = run.sent.count + 1
          let texts = (0..<Int.random(in: 1...3, using: &random)).map { "\(first + $0)" }
          run.sent += texts
          try await log.append(ActionBatch(of: ann, first: first, version: 1, texts.map { Data($0.utf8) }), to: id)
          run.acknowledged = run.sent.count
        case 4:
          let position = run.acknowledged
          try await log.note(position, readBy: ann, in: id)
          let text = run.sent.prefix(position).joined(separator: " ")
          let numbers = position > 0 ? [ann: position] : [:]
          let bytes = Data(text.utf8)
          try await log.save(LogSnapshot(position: position, numbers: numbers, version: 1, bytes: bytes), in: id)
        default: try await log.compact(id)
        }
      }
    } catch {
      #expect(folder.hasCrashed, "\(error)")
    }
    return run
  }

  /// Checks the content of a folder after a crash, and continues from there.
  private func check(_ folder: SimulatedFolder, _ run: Run) async throws {
    let log = FileLog(folder, .full, fullLength: 200)
    let found = try await log.connect(ann, reducerVersion: 1)
    guard let id = run.id else { return }
    try #require(found.id == id)
    #expect((run.acknowledged...max(run.acknowledged, run.sent.count)).contains(found.lastNumber))
    let snapshot = try await log.snapshot(in: id)
    #expect(snapshot?.position ?? 0 >= found.compactedEnd)
    let begun =
      snapshot.map {
        $0.bytes.isEmpty ? [] : String(decoding: $0.bytes, as: UTF8.self).split(separator: " ").map(String.init)
      } ?? []
    let read = try await log.all(behind: snapshot?.position ?? 0, in: id)
    #expect(begun + read.map(\.text) == Array(run.sent.prefix(found.lastNumber)))
    // All actions are sent again, with another one after them.
    let all = run.sent + ["last"]
    try await log.append(ActionBatch(of: ann, first: 1, version: 1, all.map { Data($0.utf8) }), to: id)
    try await log.append("other", of: bob, from: 1, to: id)
    let whole = Array((all + ["other"]).dropFirst(found.compactedEnd))
    #expect(try await FileLog(folder, .full).all(behind: found.compactedEnd, in: id).map(\.text) == whole)
    // Actions acknowledged after a process was killed survive a crash, too.
    var random = SplitMix64(seed: UInt64(found.lastNumber))
    let crashed = FileLog(folder.afterCrash(choosing: &random), .full)
    #expect(try await crashed.all(behind: found.compactedEnd, in: id).map(\.text) == whole)
  }

  @Test(arguments: 1...UInt64(repetitions(50)))
  func `Y2 acknowledged actions are in the log in order wherever a process or the system crashes`(seed: UInt64)
    async throws
  {
    let whole = SimulatedFolder()
    _ = await play(seed, in: whole)
    var random = SplitMix64(seed: seed)
    for last in 0..<whole.operations {
      let folder = SimulatedFolder()
      folder.lastOperation = last
      let run = await play(seed, in: folder)
      try await check(folder.afterKill(), run)
      try await check(folder.afterCrash(choosing: &random), run)
    }
  }

  @Test func `Y1 actions left by a killed process are read only once they are durable`() async throws {
    var texts: Set<[String]> = []
    for count in 1...12 {
      let folder = SimulatedFolder()
      let log = FileLog(folder, .full)
      let id = try await log.connect(ann, reducerVersion: 1).id
      try await log.append("a", of: ann, from: 1, to: id)
      folder.lastOperation = folder.operations + count
      try? await log.append("b", of: ann, from: 2, to: id)
      let left = folder.afterKill()
      let read = try await FileLog(left, .full).all(in: id)
      texts.insert(read.map(\.text))
      for seed in 0..<20 {
        var random = SplitMix64(seed: UInt64(seed))
        #expect(try await FileLog(left.afterCrash(choosing: &random), .full).all(in: id) == read)
      }
    }
    #expect(texts == [["a"], ["a", "b"]])
  }

  @Test(arguments: 1...14)
  func `Y2 acknowledged actions are in the log, whichever sync has failed before`(failing: Int) async throws {
    let folder = SimulatedFolder()
    var syncs = 0
    folder.failure = { _, operation in
      if operation == .sync { syncs += 1 }
      return operation == .sync && syncs == failing ? .other(5) : nil
    }
    var texts: [String] = []
    // Each log is another process.
    for number in 1...5 {
      let log = FileLog(folder, .full, fullLength: 100)
      guard let id = try? await log.connect(ann, reducerVersion: 1).id else { continue }
      guard (try? await log.append("\(number)", of: ann, from: texts.count + 1, to: id)) != nil else { continue }
      texts.append("\(number)")
    }
    #expect(texts.count >= 4)
    for seed in 0..<20 {
      var random = SplitMix64(seed: UInt64(seed))
      let log = FileLog(folder.afterCrash(choosing: &random), .full)
      let id = try await log.connect(ann, reducerVersion: 1).id
      #expect(try await log.all(in: id).map(\.text) == texts)
    }
  }

  @Test func `Y1 actions that could not be synced are not read`() async throws {
    let folder = SimulatedFolder()
    let log = FileLog(folder, .full)
    let id = try await log.connect(ann, reducerVersion: 1).id
    try await log.append("a", of: ann, from: 1, to: id)
    folder.failure = { _, operation in operation == .sync ? .other(5) : nil }
    await #expect(throws: LogError.self) { try await log.append("b", of: ann, from: 2, to: id) }
    folder.failure = { _, _ in nil }
    #expect(try await FileLog(folder, .full).all(in: id).map(\.text) == ["a"])
    try await log.append("c", of: ann, from: 2, to: id)
    #expect(try await FileLog(folder, .full).all(in: id).map(\.text) == ["a", "c"])
  }
}
