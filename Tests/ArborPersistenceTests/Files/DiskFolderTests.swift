import ArborPersistence
import Foundation
import Testing

@Suite("Folders on the disk")
struct DiskFolderTests {
  private func withFolder(_ body: (DiskFolder, String) throws -> Void) throws {
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(DiskFolder(at: path), path)
  }

  @Test(arguments: Durability.allCases)
  func `appended bytes can be read, by this file and by one that is opened later`(durability: Durability) throws {
    try withFolder { folder, _ in
      let file = try folder.create("a")
      try file.append([1, 2, 3])
      try file.append([])
      try file.append([4])
      try file.sync(durability)
      try folder.sync(durability)
      #expect(try file.length() == 4)
      #expect(try file.read(at: 1, count: 2) == [2, 3])
      #expect(try file.read(at: 3, count: 100) == [4])
      #expect(try file.read(at: 9, count: 1) == [])
      let again = try #require(try folder.open("a"))
      try again.append([9])
      #expect(try file.readAll() == [1, 2, 3, 4, 9])
    }
  }

  @Test func `truncating a file removes the bytes after the new length`() throws {
    try withFolder { folder, _ in
      let file = try folder.create("a")
      try file.append([1, 2, 3])
      try file.truncate(to: 1)
      try file.append([4])
      #expect(try folder.open("a")?.readAll() == [1, 4])
    }
  }

  @Test func `files are listed, renamed over others and removed`() throws {
    try withFolder { folder, _ in
      try folder.create("a").append([1])
      try folder.create("b").append([2])
      #expect(try Set(folder.names()) == ["a", "b"])
      try folder.rename("a", to: "b")
      #expect(try folder.names() == ["b"])
      #expect(try folder.open("b")?.read(at: 0, count: 9) == [1])
      #expect(try folder.open("a") == nil)
      try folder.remove("b")
      try folder.remove("b")
      #expect(try folder.names() == [])
    }
  }

  @Test func `a folder has one owner at a time, and the errors of others name it`() throws {
    try withFolder { folder, path in
      var lock: (any FolderLock)? = try folder.lock(for: "the first")
      #expect(throws: FileError(.lock, path + "/lock", .inUse(by: "the first"))) { try folder.lock(for: "the second") }
      withExtendedLifetime(lock) {}
      lock = nil
      lock = try folder.lock(for: "2nd")
      #expect(throws: FileError(.lock, path + "/lock", .inUse(by: "2nd"))) { try folder.lock(for: "the third") }
      withExtendedLifetime(lock) {}
    }
  }

  @Test func `P4 an error names the operation, the file and the reason`() throws {
    try withFolder { folder, path in
      _ = try folder.create("a")
      #expect(throws: FileError(.create, path + "/a", .other(17))) { try folder.create("a") }
      #expect(throws: FileError(.rename, path + "/b", .missing)) { try folder.rename("b", to: "c") }
      #expect(throws: FileError(.list, path + "/none", .missing)) { try DiskFolder(at: path + "/none").names() }
      #expect(
        FileError(.write, "/x", .noSpace).description == "could not write /x: there is no space left")
    }
  }

  @Test func `a lock that is a symbolic link is refused, and its target stays as it is`() throws {
    try withFolder { folder, path in
      try Data("precious".utf8).write(to: URL(fileURLWithPath: path + "/other"))
      try FileManager.default.createSymbolicLink(atPath: path + "/lock", withDestinationPath: path + "/other")
      #expect(throws: FileError(.lock, path + "/lock", .notAFile)) { try folder.lock(for: "somebody") }
      #expect(try String(contentsOfFile: path + "/other", encoding: .utf8) == "precious")
    }
  }

  @Test func `P4 a file that is larger than the memory is an error, and is not read`() throws {
    try withFolder { folder, path in
      let file = try folder.create("1.log")
      truncate(path + "/1.log", 1 << 42)
      #expect(throws: FileError(.read, path + "/1.log", .other(EFBIG))) { try file.readAll() }
      let error = StorageError.file(FileError(.read, path + "/1.log", .other(EFBIG)))
      #expect(throws: error) { try StorageContents(of: URL(fileURLWithPath: path)) }
      #expect(try file.read(at: 1 << 41, count: 3) == [0, 0, 0])
    }
  }
}
