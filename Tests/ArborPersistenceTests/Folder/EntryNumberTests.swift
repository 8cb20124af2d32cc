import ArborPersistence
import Foundation
import Testing

/// Files with numbers of entries that no storage reaches.
@Suite("Numbers of entries")
struct EntryNumberTests {
  private let folder = MemoryFolder()
  private static let bound = Frame.bound

  private func putState(_ entry: UInt64, as name: String = "1.state") throws {
    try folder.create(name).append(StateFile(entry: entry, parts: []).bytes(salt: 7))
  }

  @Test(arguments: [bound, .max / 2 - 1, .max])
  func `P2 a log or a state whose number leaves no room for greater ones is damaged`(number: UInt64) throws {
    try putState(number)
    try folder.put(as: "2.log", first: number)
    let contents = try FolderContents(of: folder)
    let state = FolderFinding.damagedState(file: "1.state", offset: FrameFileHeader.length, parts: nil)
    #expect(contents.findings == [state, .damagedLog(file: "2.log", offset: 0)])
    #expect(contents.entry == 0)
  }

  @Test func `P1 P2 the last number is read, a number after it is damage, and no greater one is written`() throws {
    let last = Self.bound - 1
    try putState(last - 1)
    let offsets = try folder.put(as: "2.log", first: last, .parts([]), .parts([]))
    let contents = try FolderContents(of: folder)
    #expect(contents.entry == last)
    #expect(contents.findings == [.damagedLog(file: "2.log", offset: offsets[1])])
    let writer = FolderWriter(folder, goingOnFrom: contents, durability: .full)
    let names = folder.names()
    #expect(throws: FileError(.write, "3.log", .other(EOVERFLOW))) { try writer.append([LogEntry.parts([]).bytes]) }
    let draft = writer.beginState(hasChanges: true)
    #expect(throws: FileError(.create, "3.state", .other(EOVERFLOW))) { try draft.write([]) }
    #expect(folder.names() == names)
    // A state of the entries so far still has a number.
    let again = FolderWriter(folder, goingOnFrom: contents, durability: .full)
    let size = try again.beginState(hasChanges: false).write([])
    #expect(size > 0)
  }

  @Test func `P2 entries that claim more durable entries than there are numbers are damage`() throws {
    let offsets = try folder.put(as: "1.log", durable: .max, .parts([]), .parts([]))
    let contents = try FolderContents(of: folder)
    #expect(contents.entry == 2)
    #expect(offsets.count == 2)
    #expect(contents.findings == [.missingEntries(after: 2)])
    let writer = FolderWriter(folder, goingOnFrom: contents, durability: .full)
    try writer.rewrite(contents)
    #expect(try FolderContents(of: folder).findings == [])
  }

  @Test(arguments: [bound - 1, .max])
  func `P2 intact frames with any gaps between their numbers never stop the program`(number: UInt64) throws {
    var bytes = FrameFileHeader(.log, salt: 7, first: min(number, Self.bound - 1)).bytes
    for number in [min(number, Self.bound - 1), number, number] {
      Frame(number, durableThrough: number, [1, 0]).write(to: &bytes, salt: 7)
    }
    try folder.create("1.log").append(bytes)
    try folder.create("4611686018427387903.end").append([])
    #expect(try FolderContents(of: folder).findings.contains(where: \.isDamage))
  }
}
