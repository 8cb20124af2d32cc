import Arbor
import ArborPersistence
import Testing

/// Intact files with contents that no storage writes.
@Suite("Contents of folders")
struct FolderContentsTests {
  private let folder = MemoryFolder()

  private func part(_ name: String) -> StoredPart {
    StoredPart(name: name, version: 1, coding: "text", bytes: Array(name.utf8))
  }

  private func difference(of name: String) -> PartChange { .difference(name: name, [1]) }

  @Test func `P2 a difference from a part that was never stored is reported as damage`() throws {
    let offsets = try folder.put(
      as: "1.log",
      .parts([.value(part("a"))]),
      .parts([difference(of: "a"), difference(of: "b")]),
      .parts([difference(of: "a")])
    )
    let contents = try FolderContents(of: folder)
    #expect(contents.findings == [.damagedLog(file: "1.log", offset: offsets[1])])
    // Nothing of its entry is used.
    #expect(contents.entry == 1)
    #expect(contents.parts == [part("a")])
  }

  @Test func `a difference may follow its value in the same entry`() throws {
    try folder.put(as: "1.log", .parts([.value(part("a")), difference(of: "a")]))
    let contents = try FolderContents(of: folder)
    #expect(contents.findings == [])
    #expect(contents.parts.map(\.differences) == [[[1]]])
  }

  @Test func `P2 a difference from a damaged part does not count as damage of its log`() throws {
    var bytes = StateFile(entry: 1, parts: [part("a"), part("b")]).bytes(salt: 7)
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: part("a").coding.utf8) })
    bytes[place] ^= 1
    // The bytes before it are the name of the part with its length, the version and the mark.
    let offset = place - 5 - Frame.headerLength
    try folder.create("1.state").append(bytes)
    try folder.put(as: "2.log", first: 2, .parts([difference(of: "a"), difference(of: "b")]))
    let contents = try FolderContents(of: folder)
    #expect(contents.findings == [.damagedState(file: "1.state", offset: offset, parts: ["a"])])
    #expect(contents.entry == 2)
    #expect(contents.parts.map(\.differences) == [[[1]]])
  }

  /// Opens a storage in a folder, and journals an action.
  private func add(_ text: String, in folder: MemoryFolder) async throws {
    let journal = try await OpenJournal(in: folder)
    try await journal.save(.add(text))
    journal.storage.endAsIfKilled()
  }

  @Test func `P2 a log of another storage with matching numbers is damage, and is kept aside`() async throws {
    let other = MemoryFolder()
    try await add("milk", in: folder)
    try await add("bread", in: other)
    #expect(folder.names() == other.names())
    let log = try #require(other.open("2.log")).readAll()
    folder.remove("2.log")
    try folder.create("2.log").append(log)
    let contents = try FolderContents(of: folder)
    #expect(contents.findings == [.foreignFile(file: "2.log")])
    #expect(contents.actions == [])
    let report = try await OpenJournal(in: folder).report
    #expect(report.keptFiles == [KeptAside.name(of: "2.log")])
    #expect(try folder.open(KeptAside.name(of: "2.log"))?.readAll() == log)
    #expect(try FolderContents(of: folder).findings == [])
  }

  @Test func `P2 a step without actions, which no storage writes, is reported as damage`() throws {
    let offsets = try folder.put(as: "1.log", .actions([[1]]), .parts([]))
    // A byte for the kind, and the number of actions.
    var bytes = try #require(folder.open("1.log")).readAll()
    bytes.removeSubrange(offsets[1]...)
    Frame(2, durableThrough: 0, [3, 0]).write(to: &bytes, salt: 7)
    folder.remove("1.log")
    try folder.create("1.log").append(bytes)
    let contents = try FolderContents(of: folder)
    #expect(contents.findings == [.damagedLog(file: "1.log", offset: offsets[1])])
    #expect(contents.actions == [.actions([[1]])])
  }

  @Test func `P2 a state of another storage with a greater number is reported with the files that it replaces`()
    async throws
  {
    let other = MemoryFolder()
    try await add("milk", in: folder)
    try await add("bread", in: other)
    let own = try #require(folder.names().first { $0.hasSuffix(".state") })
    let foreign = try #require(other.names().first { $0.hasSuffix(".state") })
    let bytes = try #require(folder.open(own)).readAll()
    // The entries of the journal were durable: its form and an action.
    _ = try folder.create("3.end")
    try folder.create("99.state").append(try #require(other.open(foreign)).readAll())
    let again = try await OpenJournal(in: folder)
    // The other storage began with nothing.
    #expect(again.store.state.notes == [])
    #expect(
      again.report.findings == [
        .foreignFile(file: own), .foreignFile(file: "2.log"), .missingEntries(after: 1),
      ])
    #expect(again.report.keptFiles.sorted() == [KeptAside.name(of: own), KeptAside.name(of: "2.log")])
    #expect(try folder.open(KeptAside.name(of: own))?.readAll() == bytes)
    #expect(try FolderContents(of: folder).findings == [])
  }

  @Test func `actions no longer count after all parts that they may have changed`() throws {
    let form = LogEntry.journal(JournalForm(version: 1, reducerVersion: 1, coding: "text"), parts: ["a", "b"])
    func put(_ log: String, first: UInt64, _ entry: LogEntry) throws -> Set<String> {
      try folder.put(as: log, first: first, form, entry)
      return try FolderContents(of: folder).journaledParts
    }
    #expect(try put("1.log", first: 1, .actions([[1]])) == ["a", "b"])
    #expect(try put("2.log", first: 3, .parts([.value(part("a"))])) == ["a", "b"])
    #expect(try put("3.log", first: 5, .parts([.value(part("a")), .value(part("b"))])) == [])
    #expect(try FolderContents(of: folder).actions == [form])
    #expect(try put("4.log", first: 7, .actions([[2]])) == ["a", "b"])
  }
}
