import Arbor
import ArborPersistence
import Testing

@Suite("State files")
struct StateFileTests {
  private let parts = ["a", "b"].map { StoredPart(name: $0, version: 1, coding: "text", bytes: Array($0.utf8)) }

  private func state(in bytes: [UInt8]) -> StateFile? {
    guard case .header(let header) = bytes.withUnsafeBytes({ FrameFileHeader.read(from: $0) }) else { return nil }
    return StateFile(readingFrom: bytes, header)
  }

  @Test func `P2 a state is intact if every byte is as it was written, and no other bytes follow`() throws {
    let bytes = StateFile(entry: 7, parts: parts).bytes(salt: 3)
    #expect(try #require(state(in: bytes)).damageOffset == nil)
    let frames = Array(bytes[FrameFileHeader.length...])
    for more in [[0], [1, 2, 3], Array(repeating: 0, count: 1000), frames] {
      let state = try #require(self.state(in: bytes + more))
      #expect(state.damageOffset == bytes.count)
      #expect(state.damaged == [])
      #expect(state.parts == parts)
      #expect(state.entry == 7)
    }
  }

  @Test func `P2 each flipped byte is reported with the offset of its frame`() throws {
    let bytes = StateFile(entry: 7, parts: parts).bytes(salt: 3)
    var offsets: [Int] = []
    FrameScan.visitAll(of: bytes, FrameFileHeader(.state, salt: 3)) { _, offset in offsets.append(offset) }
    #expect(offsets.count == 4)
    for place in FrameFileHeader.length..<bytes.count {
      var flipped = bytes
      flipped[place] ^= 1
      #expect(try #require(state(in: flipped)).damageOffset == offsets.last { $0 <= place })
    }
    for (offset, damaged) in zip(offsets[1...], [["a", "b"], ["b"], []]) {
      let state = try #require(self.state(in: Array(bytes[..<offset])))
      #expect(state.damageOffset == offset)
      #expect(state.damaged == damaged)
    }
  }

  @Test func `P2 an intact frame that contains another part is reported with its offset`() throws {
    var bytes = StateFile(entry: 7, parts: parts).bytes(salt: 3)
    let whole = StateFile(entry: 7, parts: parts.reversed()).bytes(salt: 3)
    var offsets: [Int] = []
    FrameScan.visitAll(of: bytes, FrameFileHeader(.state, salt: 3)) { _, offset in offsets.append(offset) }
    bytes.replaceSubrange(offsets[2]..<offsets[3], with: whole[offsets[2]..<offsets[3]])
    let state = try #require(self.state(in: bytes))
    #expect(state.damaged == ["b"])
    #expect(state.damageOffset == offsets[2])
  }

  @Test func `P2 bytes after a state are reported, kept aside, and gone afterward`() async throws {
    let folder = MemoryFolder()
    let first = try await OpenNotebook(in: folder)
    try await first.save(.add("milk"))
    try await first.storage.close()
    let contents = try FolderContents(of: folder)
    let draft = FolderWriter(folder, goingOnFrom: contents, durability: .full).beginState(hasChanges: false)
    _ = try draft.write(contents.parts)
    let name = try #require(folder.names().first { $0.hasSuffix(".state") })
    try folder.open(name)?.append([1, 2, 3])
    let bytes = try #require(folder.open(name)).readAll()
    #expect(
      try FolderContents(of: folder).findings == [.damagedState(file: name, offset: bytes.count - 3, parts: [])])
    let notebook = try await OpenNotebook(in: folder)
    #expect(notebook.store.state.notes == ["milk"])
    #expect(notebook.report.keptFiles == [KeptAside.name(of: name)])
    #expect(try folder.open(KeptAside.name(of: name))?.readAll() == bytes)
    #expect(try await OpenNotebook(in: folder.copy()).report.findings == [])
  }
}
