import Arbor
import ArborPersistence
import Foundation
import Testing

/// Folders and files that are renamed, replaced and removed by others while they are open.
@Suite("Folders that are lost while they are open")
struct LostFolderTests {
  /// Calls a body with an open folder and its path. Other folders can be made next to it.
  private func withFolder(_ body: (DiskFolder, String) throws -> Void) throws {
    let above = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: above) }
    try FileManager.default.createDirectory(atPath: above + "/folder", withIntermediateDirectories: true)
    try body(DiskFolder(at: above + "/folder"), above + "/folder")
  }

  @Test func `a renamed folder stays open, and nothing is written to its old path`() throws {
    try withFolder { folder, path in
      try folder.create("a").append([1])
      try FileManager.default.moveItem(atPath: path, toPath: path + "-moved")
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      try folder.create("b").append([2])
      try folder.rename("b", to: "c")
      try folder.sync(.full)
      #expect(try Set(folder.names()) == ["a", "c"])
      #expect(try folder.open("a")?.readAll() == [1])
      try folder.remove("a")
      #expect(try FileManager.default.contentsOfDirectory(atPath: path) == [])
      #expect(try FileManager.default.contentsOfDirectory(atPath: path + "-moved") == ["c"])
    }
  }

  @Test func `a folder that has been moved or replaced cannot be locked`() throws {
    try withFolder { folder, path in
      try FileManager.default.moveItem(atPath: path, toPath: path + "-moved")
      #expect(throws: FileError(.lock, path, .missing)) { try folder.lock(for: "somebody") }
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      #expect(throws: FileError(.lock, path, .missing)) { try folder.lock(for: "somebody") }
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.moveItem(atPath: path + "-moved", toPath: path)
      _ = try folder.lock(for: "somebody")
    }
  }

  @Test(arguments: Durability.allCases)
  func `P1 writes to a removed file are not acknowledged`(durability: Durability) throws {
    try withFolder { folder, path in
      let file = try folder.create("a")
      try file.append([1])
      try file.sync(durability)
      try FileManager.default.removeItem(atPath: path + "/a")
      try file.append([2])
      #expect(throws: FileError(.sync, path + "/a", .missing)) { try file.sync(durability) }
    }
  }

  @Test(arguments: Durability.allCases)
  func `P1 nothing is acknowledged in a removed folder`(durability: Durability) throws {
    try withFolder { folder, path in
      let file = try folder.create("a")
      try FileManager.default.removeItem(atPath: path)
      #expect(throws: FileError(.sync, path + "/a", .missing)) { try file.sync(durability) }
      #expect(throws: FileError(.sync, path, .missing)) { try folder.sync(durability) }
      // Another process makes the folder again.
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      #expect(throws: FileError(.sync, path, .missing)) { try folder.sync(durability) }
      #expect(throws: FileError(.create, path + "/b", .missing)) { try folder.create("b") }
      #expect(throws: FileError(.list, path, .missing)) { try folder.names() }
    }
  }

  @Test func `P1 a storage whose log was removed writes everything again`() async throws {
    let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: url) }
    let notebook = try await OpenNotebook(Storage(at: url))
    try await notebook.save(.add("milk"))
    for name in try FileManager.default.contentsOfDirectory(atPath: url.path) where name.hasSuffix(".log") {
      try FileManager.default.removeItem(at: url.appending(path: name))
    }
    try await notebook.save(.theme("dark"))
    let (state, report) = try Storage.read(at: url, into: Notebook(), Notebooks.all)
    #expect(state == notebook.store.state)
    #expect(report.findings == [])
  }
}
