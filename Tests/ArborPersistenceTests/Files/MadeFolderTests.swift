import ArborPersistence
import Foundation
import Testing

/// New folders that must survive a loss of power.
@Suite("New folders of storages")
struct MadeFolderTests {
  /// Calls a body with the path of an existing folder.
  private func withFolder(_ body: (String) throws -> Void) throws {
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(path)
  }

  /// Makes a folder. Returns the file system's numbers of the folders that were synced.
  ///
  /// - Parameter failing: The number of the sync that fails; nil if none does.
  private func synced(making path: String, failing: Int? = nil) throws -> [UInt64] {
    var synced: [UInt64] = []
    var count = 0
    _ = try DiskFolder(making: path) { path throws(FileError) in
      count += 1
      if count == failing { throw FileError(.open, path, .noPermission) }
      synced.append(number(of: path))
    }
    return synced
  }

  /// Returns the file system's number of a folder, which doesn't depend on its path.
  private func number(of path: String) -> UInt64 {
    var folder = stat()
    return stat(path, &folder) == 0 ? UInt64(folder.st_ino) : 0
  }

  @Test func `P1 the folder above is synced, even if another process has made the folder`() throws {
    try withFolder { path in
      try FileManager.default.createDirectory(atPath: path + "/a", withIntermediateDirectories: false)
      #expect(try synced(making: path + "/a") == [number(of: path)])
      #expect(try synced(making: path + "/a/") == [number(of: path)])
    }
  }

  @Test func `an existing folder can be opened if the folder above cannot`() throws {
    try withFolder { path in
      try FileManager.default.createDirectory(atPath: path + "/a", withIntermediateDirectories: false)
      #expect(try synced(making: path + "/a", failing: 1) == [])
    }
  }

  @Test func `P1 each new folder is durable before the next one is made inside it`() throws {
    try withFolder { path in
      let synced = try synced(making: path + "/a/b/c")
      #expect(synced.suffix(3) == [path, path + "/a", path + "/a/b"].map(number))
    }
  }

  @Test func `P1 a folder that a process made but did not sync is synced by the next process`() throws {
    try withFolder { path in
      #expect(throws: FileError.self) { try synced(making: path + "/a/b/c", failing: 3) }
      let made = try FileManager.default.subpathsOfDirectory(atPath: path)
      #expect(made.sorted() == ["a", "a/b"])
      #expect(try synced(making: path + "/a/b/c") == [path + "/a", path + "/a/b"].map(number))
    }
  }

  @Test func `P1 for a symbolic link, the folder above the real folder is synced`() throws {
    try withFolder { path in
      try FileManager.default.createDirectory(atPath: path + "/a/b", withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(atPath: path + "/link", withDestinationPath: path + "/a/b")
      #expect(try synced(making: path + "/link") == [number(of: path + "/a")])
    }
  }

  @Test func `a file in place of the folder is an error`() throws {
    try withFolder { path in
      try Data().write(to: URL(fileURLWithPath: path + "/a"))
      let notAFolder = FileError(.create, path + "/a", .other(ENOTDIR))
      #expect(throws: notAFolder) { try synced(making: path + "/a") }
      #expect(throws: FileError.self) { try synced(making: path + "/a/b") }
    }
  }
}
