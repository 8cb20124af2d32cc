import ArborPersistence
import Foundation
import SimulatedFiles
import TestSupport
import Testing

@Suite("Writing folders")
struct FolderWriterTests {
  private func writer(of folder: any FileFolder) throws -> FolderWriter {
    try FolderWriter(folder, goingOnFrom: FolderContents(of: folder), durability: .full)
  }

  private func entry(_ text: String) -> [UInt8] { LogEntry.parts([.value(part(text))]).bytes }

  private func part(_ text: String) -> StoredPart {
    StoredPart(name: "text", version: 1, coding: "text", bytes: Array(text.utf8))
  }

  /// Writes a state of all entries so far.
  private func writeState(_ text: String, _ writer: FolderWriter) throws {
    let draft = writer.beginState(hasChanges: true)
    try writer.finish(draft, size: draft.write([part(text)]))
  }

  @Test func `a file that cannot be removed stays, the others are removed, and the next state tries again`() throws {
    let folder = SimulatedFolder()
    let writer = try writer(of: folder)
    try writeState("a", writer)
    try writer.append([entry("b")])
    try writer.sync()
    // The next state replaces these files.
    let (state, log) = ("1.state", "2.log")
    #expect(try folder.names() == [state, log])
    var removals = 0
    folder.failure = { _, operation in
      guard operation == .remove else { return nil }
      removals += 1
      return removals == 1 ? .other(5) : nil
    }
    #expect(throws: FileError(.remove, state, .other(5))) { try writeState("c", writer) }
    #expect(try folder.names() == [state, "3.state"])
    #expect(!writer.needsState)
    #expect(writer.logCount == 0)
    #expect(try writer.isAsLeft())
    try writeState("d", writer)
    #expect(try folder.names() == ["4.state"])
    #expect(try FolderContents(of: folder).parts == [part("d")])
  }

  @Test func `removing a state that came too late is tried again, too`() throws {
    let folder = SimulatedFolder()
    let writer = try writer(of: folder)
    let early = writer.beginState(hasChanges: false)
    let size = try early.write([part("a")])
    try writeState("b", writer)
    folder.failure = { _, operation in operation == .remove ? .other(5) : nil }
    #expect(throws: FileError(.remove, "1.state", .other(5))) { try writer.finish(early, size: size) }
    folder.failure = { _, _ in nil }
    #expect(try writer.isAsLeft())
    try writeState("c", writer)
    #expect(try folder.names() == ["3.state"])
  }

  @Test func `P1 a state begun before a failed sync does not replace entries that were not synced`() throws {
    let folder = SimulatedFolder()
    let writer = try writer(of: folder)
    try writer.append([entry("a")])
    try writer.sync()
    let draft = writer.beginState(hasChanges: false)
    try writer.append([entry("b")])
    folder.failure = { _, operation in operation == .sync ? .other(5) : nil }
    #expect(throws: FileError.self) { try writer.sync() }
    folder.failure = { _, _ in nil }
    try writer.finish(draft, size: draft.write([part("a")]))
    #expect(writer.needsState)
    #expect(writer.durableEntry < writer.entry)
    try writeState("b", writer)
    #expect(!writer.needsState)
    #expect(writer.durableEntry == writer.entry)
  }

  @Test(arguments: [FileError.Reason.noSpace, .lockLost])
  func `a folder is as it was left after a failed write, unless another process may have written`(
    reason: FileError.Reason
  ) throws {
    let folder = SimulatedFolder()
    let writer = try writer(of: folder)
    try writer.append([entry("a")])
    #expect(try writer.isAsLeft())
    // Half of the entry is there. Without the lock, another process may have written that half.
    folder.failure = { _, operation in operation == .write ? reason : nil }
    #expect(throws: FileError(.write, "1.log", reason)) { try writer.append([entry("b")]) }
    folder.failure = { _, _ in nil }
    #expect(try writer.isAsLeft() == (reason == .noSpace))
  }

  @Test func `partly written entries give their space back if there is no space for the rest`() throws {
    let folder = SimulatedFolder()
    let writer = try writer(of: folder)
    var next = folder.operations + 2
    // At first, there is no space for the header of a log, which is written after the log is created.
    folder.failure = { number, _ in number == next ? .noSpace : nil }
    #expect(throws: FileError(.write, "1.log", .noSpace)) { try writer.append([entry("a")]) }
    #expect(folder.bytes(of: "1.log") == [])
    try writeState("a", writer)
    try writer.append([entry("b")])
    try writer.sync()
    let before = try #require(folder.bytes(of: "3.log"))
    next = folder.operations + 1
    #expect(throws: FileError(.write, "3.log", .noSpace)) { try writer.append([entry("c")]) }
    #expect(folder.bytes(of: "3.log") == before)
    #expect(writer.needsState)
    #expect(try FolderContents(of: folder).findings == [])
  }

  @Test func `P5 entries cut off without a sync do not come back before the entries of a later process`() throws {
    let folder = SimulatedFolder()
    let first = try writer(of: folder)
    try writeState("a", first)
    try first.append([entry("b")])
    try first.sync()
    let log = try #require(try folder.open("2.log"))
    let length = try log.length()
    try first.append([entry("lost")])
    try log.truncate(to: length)
    // The next process skips a number for a state that it never writes.
    let second = try writer(of: folder)
    _ = second.beginState(hasChanges: true)
    try second.append([entry("c")])
    try second.sync()
    for seed in UInt64(0)..<100 {
      var random = SplitMix64(seed: seed)
      #expect(try FolderContents(of: folder.afterCrash(choosing: &random)).parts == [part("b")])
    }
  }

  @Test func `P1 nothing is appended to a log whose header was lost in a failed sync of an earlier process`() throws {
    let folder = SimulatedFolder()
    let first = try writer(of: folder)
    try writeState("a", first)
    folder.failure = { _, operation in operation == .sync ? .other(5) : nil }
    #expect(throws: FileError(.sync, "2.log", .other(5))) { try first.appendDurably([entry("lost")]) }
    folder.failure = { _, _ in nil }
    // The header can be read from the memory of the system, which considers it written.
    #expect(folder.bytes(of: "2.log")?.count == FrameFileHeader.length)
    let second = try writer(of: folder)
    try second.append([entry("b")])
    try second.sync()
    for seed in UInt64(0)..<100 {
      var random = SplitMix64(seed: seed)
      let found = try FolderContents(of: folder.afterCrash(choosing: &random))
      #expect(found.parts == [part("b")])
      #expect(!found.findings.contains { $0.isDamage })
    }
  }

  @Test func `after a failed sync, a log stays as it is`() throws {
    let folder = SimulatedFolder()
    let writer = try writer(of: folder)
    try writer.append([entry("a")])
    let before = try #require(folder.bytes(of: "1.log"))
    folder.failure = { _, operation in operation == .sync ? .other(5) : nil }
    #expect(throws: FileError(.sync, "1.log", .other(5))) { try writer.sync() }
    #expect(folder.bytes(of: "1.log") == before)
  }

  @Test func `P1 a log that a state has replaced is no longer synced`() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let folder = try DiskFolder(at: path)
    let writer = try writer(of: folder)
    try writer.append([entry("a")])
    let draft = writer.beginState(hasChanges: false)
    try writer.append([entry("b")])
    try writer.finish(draft, size: draft.write([part("a")]))
    try writer.sync()
    #expect(writer.durableEntry == 2)
    #expect(!writer.needsState)
    #expect(try FolderContents(of: folder).parts == [part("b")])
  }
}
