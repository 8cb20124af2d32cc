import Arbor
import ArborPersistence
import TestSupport
import Testing

@Suite("Lost or damaged files of a storage")
struct LostFileTests {
  private let folder = MemoryFolder()

  /// Writes the files of a storage with a state and two logs of actions.
  private func prepare() async throws {
    for number in 0..<2 {
      let open = try await OpenJournal(in: folder)
      // The second action states that the first one is durable.
      for _ in 0..<2 { try await open.save(.add("\(number)")) }
      open.storage.endAsIfKilled()
      // The torn end makes the next program begin a new log.
      let log = try #require(folder.names().filter { $0.hasSuffix(".log") }.last)
      let bytes = try #require(folder.open(log)).readAll()
      if number == 0 {
        folder.remove(log)
        try folder.create(log).append(bytes + [1])
      }
    }
    #expect(folder.names().filter { $0.hasSuffix(".log") } == ["2.log", "3.log"])
  }

  private func loaded(_ folder: MemoryFolder) async throws -> (notes: [String], report: LoadReport) {
    let open = try await OpenJournal(in: folder)
    try await open.storage.close()
    return (open.store.state.notes, open.report)
  }

  @Test func `P2 intact logs after a lost state are kept aside`() async throws {
    try await prepare()
    var bytes = try #require(folder.open("1.state")).readAll()
    bytes[3] ^= 1
    folder.remove("1.state")
    try folder.create("1.state").append(bytes)
    let (notes, report) = try await loaded(folder)
    #expect(notes == [])
    #expect(report.keptFiles.sorted() == ["1.state", "2.log", "3.log"].map { KeptAside.name(of: $0) })
    #expect(report.findings.contains(.unusedLog(file: "3.log")))
  }

  @Test func `P2 a log after a lost or damaged log is kept aside`() async throws {
    try await prepare()
    let without = folder.copy()
    without.remove("2.log")
    let (notes, report) = try await loaded(without)
    #expect(notes == [])
    #expect(report.keptFiles == [KeptAside.name(of: "3.log")])
    var bytes = try #require(folder.open("2.log")).readAll()
    bytes[40] ^= 1
    let damaged = folder.copy()
    damaged.remove("2.log")
    try damaged.create("2.log").append(bytes)
    #expect(try await loaded(damaged).report.keptFiles.sorted() == ["2.log", "3.log"].map { KeptAside.name(of: $0) })
  }

  @Test func `P2 the last entry of a closed storage is kept aside if it is damaged`() async throws {
    let open = try await OpenNotebook(in: folder)
    for text in ["milk", "bread"] { try await open.save(.add(text)) }
    try await open.storage.close()
    var bytes = try #require(folder.open("1.log")).readAll()
    bytes[bytes.count - 3] ^= 1
    folder.remove("1.log")
    try folder.create("1.log").append(bytes)
    let again = try await OpenNotebook(in: folder)
    #expect(again.store.state.notes == ["milk"])
    #expect(again.report.keptFiles == [KeptAside.name(of: "1.log")])
  }

  @Test func `P2 a log whose first entry has a number out of bounds is refused`() async throws {
    try folder.create("2.log").append(FrameFileHeader(.log, salt: 1, first: .max).bytes)
    try folder.create("3.log").append(FrameFileHeader(.log, salt: 1, first: 0).bytes + [1, 2, 3])
    let open = try await OpenNotebook(in: folder)
    try await open.save(.add("milk"))
    #expect(try await OpenNotebook(in: folder.copy()).store.state.notes == ["milk"])
  }

  @Test func `P2 a part with a long name is kept aside under a shorter one`() async throws {
    let name = String(repeating: "naïve ", count: 80)
    let notes = Persisted(\Notebook.notes, as: name)
    try await OpenNotebook(in: folder, [notes]).save(.add("milk"))
    let other = Persisted(\Notebook.settings, as: name)
    let kept = try #require(try await OpenNotebook(in: folder.copy(), [other]).report.keptFiles.first)
    #expect(kept.utf8.count < 200)
  }
}
