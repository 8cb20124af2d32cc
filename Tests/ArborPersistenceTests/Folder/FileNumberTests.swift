import Arbor
import ArborPersistence
import Foundation
import Testing

/// Files whose names contain numbers that no storage reaches.
@Suite("Numbers of files")
struct FileNumberTests {
  private static let greatest = "4611686018427387903"

  @Test(
    arguments: ["4611686018427387904", "9223372036854775806", "18446744073709551615", "99999999999999999999999"],
    ["state", "log", "unfinished", "end"]
  )
  func `P2 a number that leaves no room for greater ones is refused, and nothing is written`(
    number: String,
    kind: String
  ) async throws {
    let folder = MemoryFolder()
    try await OpenNotebook(in: folder).save(.add("milk"))
    let other = folder.copy()
    let name = "\(number).\(kind)"
    _ = try other.create(name)
    let before = other.names()
    let error = FileError(.open, name, .other(EOVERFLOW))
    await #expect(throws: StorageError.file(error)) { try await OpenNotebook(in: other) }
    #expect(throws: error) { try FolderContents(beside: other) }
    #expect(other.names() == before)
    // If you remove the file, everything can be loaded again.
    other.remove(name)
    #expect(try await OpenNotebook(in: other.copy()).store.state.notes == ["milk"])
  }

  @Test func `P2 the errors of the reading tools contain the path of a file with such a number`() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: url) }
    let path = url.path + "/18446744073709551615.log"
    try Data().write(to: URL(fileURLWithPath: path))
    let error = StorageError.file(FileError(.open, path, .other(EOVERFLOW)))
    #expect(throws: error) { try StorageContents(of: url) }
    #expect(throws: error) { try StorageContents.repair(at: url) }
    #expect(throws: error) { try Storage.read(at: url, into: Notebook(), Notebooks.all) }
  }

  @Test func `files with names that a storage never uses are ignored`() async throws {
    let folder = MemoryFolder()
    let number = "18446744073709551615"
    for name in ["0\(number).log", "+\(number).log", "\(number).txt", "x.log", ".log"] {
      _ = try folder.create(name)
    }
    try await OpenNotebook(in: folder).save(.add("milk"))
    #expect(try await OpenNotebook(in: folder.copy()).store.state.notes == ["milk"])
  }

  @Test func `P1 a write that would need a number out of bounds is not acknowledged`() throws {
    let folder = MemoryFolder()
    _ = try folder.create(Self.greatest + ".log")
    let writer = try FolderWriter(folder, goingOnFrom: FolderContents(of: folder), durability: .full)
    let next = "4611686018427387904"
    #expect(throws: FileError(.create, next + ".log", .other(EOVERFLOW))) {
      try writer.append([LogEntry.parts([]).bytes])
    }
    #expect(writer.needsState)
    let draft = writer.beginState(hasChanges: true)
    #expect(throws: FileError(.create, "4611686018427387905.state", .other(EOVERFLOW))) { try draft.write([]) }
    #expect(folder.names() == [Self.greatest + ".log"])
  }
}
