import Arbor
import ArborPersistence
import ArborSync
import Foundation
import Testing

@Suite("Logs in folders")
struct FileLogTests {
  private let folder = MemoryFolder()
  private let ann = LogClient("Ann", incarnation: 1)

  private func open(_ folder: MemoryFolder) -> FileLog { FileLog(folder, .full) }

  /// Writes a log with actions to the folder, and returns its id.
  private func write(_ texts: String...) async throws -> UUID {
    let log = open(folder)
    let id = try await log.connect(ann, reducerVersion: 1).id
    for (index, text) in texts.enumerated() { try await log.append(text, of: ann, from: index + 1, to: id) }
    return id
  }

  private func bytes(in folder: MemoryFolder) throws -> [UInt8] {
    try #require(folder.open("1.actions")).readAll()
  }

  @Test func `Y2 an incomplete append of a killed process is cut off, and the earlier actions remain`() async throws {
    let id = try await write("a", "b")
    let length = try bytes(in: folder).count
    try await open(folder).append("c", of: ann, from: 3, to: id)
    let all = try bytes(in: folder)
    for cut in length..<all.count {
      let copy = try folder.copy()
      try #require(copy.open("1.actions")).truncate(to: cut)
      let log = open(copy)
      #expect(try await log.all(in: id).map(\.text) == ["a", "b"])
      #expect(try await log.connect(ann, reducerVersion: 1).lastNumber == 2)
      // Longer and shorter than the incomplete bytes.
      try await log.append("d", String(repeating: "e", count: 100), of: ann, from: 3, to: id)
      #expect(try await open(copy).all(in: id).map(\.text.first) == ["a", "b", "d", "e"])
    }
  }

  @Test func `a process killed while it makes a file of actions does no harm`() async throws {
    let id = try await write()
    for length in 0..<FrameFileHeader.length {
      let copy = try folder.copy()
      try copy.create("1.actions").append(Array(repeating: 0, count: length))
      let log = open(copy)
      #expect(try await log.all(in: id) == [])
      try await log.append("a", of: ann, from: 1, to: id)
      #expect(try await open(copy).all(in: id).map(\.text) == ["a"])
    }
  }

  @Test func `Y4 a flipped byte is reported or loses only the last action, and no wrong action is read`() async throws {
    let id = try await write("a", "b", "c", "d")
    let all = try bytes(in: folder)
    for place in all.indices {
      let copy = try folder.copy()
      try #require(copy.open("1.actions")).truncate(to: 0)
      var flipped = all
      flipped[place] ^= 0x10
      try #require(copy.open("1.actions")).append(flipped)
      let log = open(copy)
      do {
        let read = try await log.all(in: id).map(\.text)
        // No later write states that the last action was durable; only its sender knows.
        #expect(read == ["a", "b", "c", "d"] || read == ["a", "b", "c"])
        try await log.append("a", "b", "c", "d", "e", of: ann, from: 1, to: id)
        #expect(try await log.all(in: id).map(\.text) == ["a", "b", "c", "d", "e"])
      } catch {
        guard case .refused = error else { throw error }
      }
    }
  }

  @Test func `a client whose clock was ahead does not delay compaction longer than others`() async throws {
    let second = Protected(10_000)
    let log = FileLog(folder, .full, lease: .seconds(100)) { second.withLock { $0 } }
    let ben = LogClient("Ben", incarnation: 2)
    let id = try await log.connect(ben, reducerVersion: 1).id
    second.withLockInAsync { $0 = 0 }
    try await log.append("a", "b", of: ann, from: 1, to: id)
    try await log.save(LogSnapshot(position: 2, numbers: [ann: 2], version: 1, bytes: Data()), in: id)
    try await log.compact(id)
    #expect(try await log.connect(ann, reducerVersion: 1).compactedEnd == 2)
    // A client that is only a little ahead counts as connected.
    second.withLockInAsync { $0 = 50 }
    try await log.note(2, readBy: ben, in: id)
    second.withLockInAsync { $0 = 0 }
    try await log.append("c", of: ann, from: 3, to: id)
    try await log.note(3, readBy: ann, in: id)
    try await log.save(LogSnapshot(position: 3, numbers: [ann: 3], version: 1, bytes: Data()), in: id)
    try await log.compact(id)
    #expect(try await log.connect(ann, reducerVersion: 1).compactedEnd == 2)
  }

  /// A loss of actions that a log has already read.
  enum Loss: CaseIterable, Sendable {
    case file, all, half, byte
  }

  @Test(arguments: Loss.allCases)
  func `Y4 a log that loses actions while it is in use refuses reads and writes`(loss: Loss) async throws {
    let id = try await write("a", "b", "c", "d")
    let log = open(folder)
    #expect(try await log.all(in: id).count == 4)
    let file = try #require(folder.open("1.actions"))
    let bytes = try file.readAll()
    switch loss {
    case .file: folder.remove("1.actions")
    case .all: try file.truncate(to: 0)
    case .half: try file.truncate(to: bytes.count / 2)
    case .byte:
      try file.truncate(to: bytes.count / 2)
      try file.append([bytes[bytes.count / 2] ^ 1] + bytes.dropFirst(bytes.count / 2 + 1))
    }
    await #expect(throws: LogError.self) { try await log.all(in: id) }
    if loss != .byte {
      await #expect(throws: LogError.self) { try await log.append("e", of: ann, from: 5, to: id) }
      await #expect(throws: LogError.self) { try await log.connect(ann, reducerVersion: 1) }
    }
  }

  @Test func `Y4 a log that ends before its snapshot is refused`() async throws {
    let id = try await write("a", "b")
    try await open(folder).save(LogSnapshot(position: 2, numbers: [ann: 2], version: 1, bytes: Data()), in: id)
    folder.remove("1.actions")
    await #expect(throws: LogError.refused("the actions after position 0 are missing, up to 2")) {
      try await open(folder).connect(ann, reducerVersion: 1)
    }
  }

  @Test func `Y4 a snapshot that was renamed to another position is ignored`() async throws {
    let id = try await write("a", "b", "c", "d")
    try await open(folder).save(LogSnapshot(position: 2, numbers: [ann: 2], version: 1, bytes: Data("ab".utf8)), in: id)
    try folder.rename("2.snapshot", to: "4.snapshot")
    let log = open(folder)
    #expect(try await log.snapshot(in: id) == nil)
    // Actions that only that snapshot would contain aren't removed.
    try await log.note(4, readBy: ann, in: id)
    try await log.compact(id)
    #expect(try await log.connect(ann, reducerVersion: 1).compactedEnd == 0)
    #expect(try await log.all(in: id).map(\.text) == ["a", "b", "c", "d"])
    // It doesn't prevent another snapshot from being saved.
    let third = LogSnapshot(position: 3, numbers: [ann: 3], version: 1, bytes: Data("abc".utf8))
    try await log.save(third, in: id)
    #expect(try await open(folder).snapshot(in: id) == third)
    // It doesn't change the end of the log, either.
    try folder.rename("4.snapshot", to: "9.snapshot")
    #expect(try await open(folder).snapshot(in: id) == third)
  }

  @Test func `Y4 files of another log, and actions without their log's identity, are refused`() async throws {
    let id = try await write("a", "b")
    let other = MemoryFolder()
    let otherID = try await open(other).connect(ann, reducerVersion: 1).id
    try await open(other).append("x", "y", "z", of: ann, from: 1, to: otherID)
    try await open(other).save(LogSnapshot(position: 2, numbers: [ann: 2], version: 1, bytes: Data()), in: otherID)
    let mixed = try folder.copy()
    try mixed.create("2.snapshot").append(try #require(other.open("2.snapshot")).readAll())
    #expect(try await open(mixed).snapshot(in: id) == nil)
    mixed.remove("1.actions")
    try mixed.create("1.actions").append(try #require(other.open("1.actions")).readAll())
    await #expect(throws: LogError.refused("1.actions is a file of another log")) { try await open(mixed).all(in: id) }
    let nameless = try folder.copy()
    for name in nameless.names() where name.hasSuffix(".log") { nameless.remove(name) }
    await #expect(throws: LogError.refused("the folder has the actions of a log, but not its identity")) {
      try await open(nameless).connect(ann, reducerVersion: 1)
    }
    let renamed = try folder.copy()
    try renamed.rename("1.actions", to: "3.actions")
    await #expect(throws: LogError.self) { try await open(renamed).all(in: id) }
  }

  @Test(arguments: [Duration.seconds(-1), .zero, .milliseconds(900), .seconds(Int64.max)])
  func `a lease has whole seconds, from one second to a year`(lease: Duration) async throws {
    let log = FileLog(folder, .full, lease: lease)
    let found = try await log.connect(ann, reducerVersion: 1)
    #expect(found.lease == (lease > .seconds(1) ? .seconds(365 * 86_400) : .seconds(1)))
    try await log.compact(found.id)
  }

  @Test func `positions are found in files of any length`() async throws {
    // Each file has a few hundred actions.
    let log = FileLog(folder, .full, fullLength: 15_000)
    let id = try await log.connect(ann, reducerVersion: 1).id
    let text = String(repeating: "x", count: 20)
    var number = 1
    for count in [1, 100, 155, 1, 200, 300, 7] {
      let texts = (0..<count).map { Data("\(number + $0) \(text)".utf8) }
      try await log.append(ActionBatch(of: ann, first: number, version: 1, texts), to: id)
      number += count
    }
    #expect(folder.names().count { $0.hasSuffix(".actions") } > 2)
    let other = open(folder)
    for reader in [log, other] {
      for position in [0, 1, 99, 255, 256, 257, 300, 456, 511, 512, 700, 762, 763] {
        let read = try await reader.actions(behind: position, atMost: 3, in: id)
        #expect(read.map(\.position) == Array(position + 1..<number).prefix(3).map { $0 })
        #expect(read.map { $0.text.prefix { $0 != " " } } == read.map { "\($0.position)" })
      }
    }
    try await log.save(LogSnapshot(position: 600, numbers: [ann: 600], version: 1, bytes: Data()), in: id)
    try await log.note(number - 1, readBy: ann, in: id)
    try await log.compact(id)
    let compacted = try await open(folder).connect(ann, reducerVersion: 1)
    #expect((1...600).contains(compacted.compactedEnd))
    #expect(compacted.lastNumber == number - 1)
    // A process that has read some of them continues.
    #expect(try await other.all(behind: compacted.compactedEnd, in: id).count == number - 1 - compacted.compactedEnd)
  }

  @Test func `a log whose snapshot is lost after a compaction is refused`() async throws {
    let id = try await write("a", "b")
    let log = open(folder)
    try await log.save(LogSnapshot(position: 2, numbers: [ann: 2], version: 1, bytes: Data()), in: id)
    try await log.note(2, readBy: ann, in: id)
    try await log.compact(id)
    folder.remove("2.snapshot")
    let error = LogError.refused("the snapshot of the actions before position 3 is missing")
    await #expect(throws: error) { try await open(folder).connect(ann, reducerVersion: 1) }
  }

  @Test func `Y4 another log in the folder is reported`() async throws {
    let id = try await write("a")
    let log = open(folder)
    _ = try await log.all(in: id)
    for name in folder.names() where name != "lock" { folder.remove(name) }
    await #expect(throws: LogError.anotherLog(nil)) { try await log.all(in: id) }
    let next = try await open(folder).connect(ann, reducerVersion: 1).id
    await #expect(throws: LogError.anotherLog(next)) { try await log.append("b", of: ann, from: 2, to: id) }
    #expect(try await open(folder).all(in: next) == [])
  }

  @Test(arguments: [LogPlace.Kind.memoryFolder, .disk])
  func `messages of a full file still reach clients that have not read them`(kind: LogPlace.Kind) async throws {
    let place = LogPlace(kind)
    let (log, other) = (place.open(), place.open())
    let id = try await log.connect(ann, reducerVersion: 1).id
    // Each finds the earlier messages, which no client has missed.
    try await log.broadcast(Data(), in: id)
    try await other.broadcast(Data(), in: id)
    let signals = other.signals()
    // More than one file of messages.
    let messages = (0..<70).map { Data(repeating: UInt8($0), count: 4096) }
    for message in messages { try await log.broadcast(message, in: id) }
    var found: [Data] = []
    try await other.broadcast(Data("end".utf8), in: id)
    for await case .message(let message) in signals {
      if message == Data("end".utf8) { break }
      found.append(message)
    }
    #expect(found == messages)
  }
}

extension MemoryFolder {
  /// Returns a folder with the same files.
  fileprivate func copy() throws -> MemoryFolder {
    let copy = MemoryFolder()
    for name in names() { try copy.create(name).append(open(name)?.readAll() ?? []) }
    return copy
  }
}
