import Arbor
import ArborPersistence
import Foundation
import Testing

/// Files, folders, links and pipes that the storage of a folder hasn't made.
@Suite("Foreign files in the folder of a storage")
struct ForeignFileTests {
  private func withFolder(_ body: (_ path: String) async throws -> Void) async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: path) }
    try await body(path)
  }

  private func mode(of path: String) throws -> Int {
    try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
  }

  @Test func `only their owner can read the files of a storage and enter its folder`() async throws {
    try await withFolder { path in
      let folder = path + "/above/own"
      let notebook = try await OpenNotebook(in: DiskFolder(making: folder, .full))
      try await notebook.save(.add("milk"))
      try await notebook.storage.close()
      #expect(try mode(of: folder) == 0o700)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(names.contains("lock") && names.count > 1)
      for name in names { #expect(try mode(of: "\(folder)/\(name)") == 0o600, "\(name)") }
    }
  }

  @Test func `folders, links and pipes do not count as files, and are neither listed, opened nor replaced`()
    async throws
  {
    try await withFolder { path in
      let folder = try DiskFolder(at: path)
      try folder.create("file").append([1])
      try FileManager.default.createSymbolicLink(atPath: path + "/link", withDestinationPath: path + "/file")
      try FileManager.default.createDirectory(atPath: path + "/folder", withIntermediateDirectories: false)
      #expect(mkfifo(path + "/pipe", 0o600) == 0)
      #expect(try folder.names() == ["file"])
      #expect(try folder.foreignNames().sorted() == ["folder", "link", "pipe"])
      for name in ["link", "folder", "pipe"] {
        #expect(throws: FileError(.open, "\(path)/\(name)", .notAFile)) { try folder.open(name) }
        #expect(throws: FileError(.create, "\(path)/\(name)", .notAFile)) { try folder.create(name) }
        #expect(throws: FileError(.rename, "\(path)/\(name)", .notAFile)) { try folder.rename("file", to: name) }
      }
      #expect(try folder.open("file")?.readAll() == [1])
    }
  }

  @Test(arguments: ["folder", "pipe"])
  func `a lock that is not a file is an error, and does not block`(kind: String) async throws {
    try await withFolder { path in
      if kind == "pipe" {
        #expect(mkfifo(path + "/lock", 0o600) == 0)
      } else {
        try FileManager.default.createDirectory(atPath: path + "/lock", withIntermediateDirectories: false)
      }
      #expect(throws: FileError(.lock, path + "/lock", .notAFile)) { try DiskFolder(at: path).lock(for: "somebody") }
    }
  }

  @Test func `an erasure removes the files that the storage has written, and no other files`() async throws {
    try await withFolder { path in
      let notebook = try await OpenNotebook(in: DiskFolder(at: path))
      try await notebook.save(.add("milk"))
      try KeptAside(folder: DiskFolder(at: path), durability: .full).keep([1, 2, 3], of: "notes")
      for name in ["my.damaged", "2.log.damaged", "notes.00000000.damaged", "letter.txt"] {
        try Data("precious".utf8).write(to: URL(filePath: "\(path)/\(name)"))
      }
      for name in ["old.damaged", KeptAside.name(of: "folder"), "7.state", "4611686018427387904.log"] {
        try FileManager.default.createDirectory(atPath: "\(path)/\(name)", withIntermediateDirectories: false)
      }
      for name in ["9.log", "loading"] {
        try FileManager.default.createSymbolicLink(atPath: path + "/" + name, withDestinationPath: path + "/letter.txt")
      }
      try await notebook.storage.erase()
      let left = try Set(FileManager.default.contentsOfDirectory(atPath: path))
      #expect(
        left.subtracting([
          "my.damaged", "2.log.damaged", "notes.00000000.damaged", "letter.txt", "old.damaged",
          KeptAside.name(of: "folder"), "7.state", "4611686018427387904.log", "9.log", "lock", "loading",
        ]).allSatisfy { $0.hasSuffix(".state") || $0.hasSuffix(".end") })
      #expect(!left.contains(KeptAside.name(of: "notes")))
      #expect(
        left.isSuperset(of: ["my.damaged", "2.log.damaged", "old.damaged", "7.state", "9.log", "letter.txt", "loading"])
      )
      #expect(try String(contentsOfFile: path + "/letter.txt", encoding: .utf8) == "precious")
    }
  }

  @Test func `P4 if a folder has the name of a load's note, the state is loaded and the problem is reported`()
    async throws
  {
    try await withFolder { path in
      let notebook = try await OpenNotebook(in: DiskFolder(at: path))
      try await notebook.save(.add("milk"))
      try await notebook.storage.close()
      try FileManager.default.createDirectory(atPath: path + "/loading", withIntermediateDirectories: false)
      let again = try await OpenNotebook(in: DiskFolder(at: path))
      #expect(again.store.state.notes == ["milk"])
      var problems = again.storage.problems.makeAsyncIterator()
      let problem = await problems.next()
      #expect(problem == .file(FileError(.open, "\(path)/loading", .notAFile)))
    }
  }

  @Test func `P1 if a folder or a link has the number of the next file, that number is skipped`() async throws {
    try await withFolder { path in
      for name in ["1.log", "2.state", "3.unfinished"] {
        try FileManager.default.createDirectory(atPath: "\(path)/\(name)", withIntermediateDirectories: false)
      }
      try FileManager.default.createSymbolicLink(atPath: path + "/4.log", withDestinationPath: path + "/nowhere")
      let notebook = try await OpenNotebook(in: DiskFolder(at: path))
      #expect(notebook.report.keptFiles == [])
      try await notebook.save(.add("milk"))
      #expect(FileManager.default.fileExists(atPath: path + "/5.log"))
      try await notebook.storage.close()
      #expect(try await OpenNotebook(in: DiskFolder(at: path)).store.state.notes == ["milk"])
    }
  }
}
