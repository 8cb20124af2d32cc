import ArborPersistence
import Foundation
import Testing

/// Folders that are made so that a loss of power leaves them.
@Suite("Folders that are made")
struct MadeFolderTests {
  /// Calls a body with the path of a folder that exists.
  private func withFolder(_ body: (String) throws -> Void) throws {
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(path)
  }

  /// Makes a folder. Returns the numbers of those folders whose names were synced, as the file system has them.
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

  /// The number of a folder, whatever its path is.
  private func number(of path: String) -> UInt64 {
    var folder = stat()
    return stat(path, &folder) == 0 ? UInt64(folder.st_ino) : 0
  }

  @Test func `P1 the folder above is synced, also if somebody else has made the folder`() throws {
    try withFolder { path in
      try FileManager.default.createDirectory(atPath: path + "/a", withIntermediateDirectories: false)
      #expect(try synced(making: path + "/a") == [number(of: path)])
      #expect(try synced(making: path + "/a/") == [number(of: path)])
    }
  }

  @Test func `A folder that exists is opened where the one above may not be`() throws {
    try withFolder { path in
      try FileManager.default.createDirectory(atPath: path + "/a", withIntermediateDirectories: false)
      #expect(try synced(making: path + "/a", failing: 1) == [])
    }
  }

  @Test func `P1 of folders that are made each is durable before the next one is made in it`() throws {
    try withFolder { path in
      let synced = try synced(making: path + "/a/b/c")
      #expect(synced.suffix(3) == [path, path + "/a", path + "/a/b"].map(number))
    }
  }

  @Test func `P1 a folder that was made and not synced by who ended early is synced by the next one`() throws {
    try withFolder { path in
      #expect(throws: FileError.self) { try synced(making: path + "/a/b/c", failing: 3) }
      let made = try FileManager.default.subpathsOfDirectory(atPath: path)
      #expect(made.sorted() == ["a", "a/b"])
      #expect(try synced(making: path + "/a/b/c") == [path + "/a", path + "/a/b"].map(number))
    }
  }

  @Test func `P1 of a symbolic link the folder above the real one is synced`() throws {
    try withFolder { path in
      try FileManager.default.createDirectory(atPath: path + "/a/b", withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(atPath: path + "/link", withDestinationPath: path + "/a/b")
      #expect(try synced(making: path + "/link") == [number(of: path + "/a")])
    }
  }

  @Test func `A file in place of the folder is an error`() throws {
    try withFolder { path in
      try Data().write(to: URL(fileURLWithPath: path + "/a"))
      let notAFolder = FileError(.create, path + "/a", .other(ENOTDIR))
      #expect(throws: notAFolder) { try synced(making: path + "/a") }
      #expect(throws: FileError.self) { try synced(making: path + "/a/b") }
    }
  }
}
