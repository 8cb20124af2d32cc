import Arbor
import ArborPersistence
import Foundation
import Testing

/// Locks whose files are removed by others while they are held.
///
/// - The next owner makes another lock file, so both owners have the folder.
@Suite("Locks that are lost while they are held")
struct LostLockTests {
  private func withFolder(_ body: (URL) async throws -> Void) async throws {
    let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: url) }
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    try await body(url)
  }

  /// The ways in which a lock is lost.
  enum Loss: CaseIterable {
    case removed, replaced, renamed

    func happen(in folder: URL) throws {
      let lock = folder.appending(path: "lock")
      switch self {
      case .removed: try FileManager.default.removeItem(at: lock)
      case .replaced: try Data("somebody else".utf8).write(to: lock, options: .atomic)
      case .renamed: try FileManager.default.moveItem(at: lock, to: folder.appending(path: "other"))
      }
    }
  }

  @Test(arguments: Loss.allCases)
  func `P1 nothing is written, removed or acknowledged without the lock`(loss: Loss) async throws {
    try await withFolder { url in
      let folder = try DiskFolder(at: url.path)
      let lock = try folder.lock(for: "the first")
      let file = try folder.create("a")
      try file.append([1])
      try file.sync(.full)
      try loss.happen(in: url)
      let path = url.path + "/a"
      #expect(throws: FileError(.write, path, .lockLost)) { try file.append([2]) }
      #expect(throws: FileError(.write, path, .lockLost)) { try file.truncate(to: 0) }
      #expect(throws: FileError(.sync, path, .lockLost)) { try file.sync(.full) }
      #expect(throws: FileError(.sync, path, .lockLost)) { try file.sync(.none) }
      #expect(throws: FileError(.sync, url.path, .lockLost)) { try folder.sync(.full) }
      #expect(throws: FileError(.rename, path, .lockLost)) { try folder.rename("a", to: "b") }
      #expect(throws: FileError(.remove, path, .lockLost)) { try folder.remove("a") }
      #expect(throws: FileError(.create, url.path + "/b", .lockLost)) { try folder.create("b") }
      #expect(try file.readAll() == [1])
      #expect(try !folder.names().contains("b"))
      withExtendedLifetime(lock) {}
    }
  }

  @Test func `a folder whose lock was lost can be written again once it is locked again`() async throws {
    try await withFolder { url in
      let folder = try DiskFolder(at: url.path)
      var lock: (any FolderLock)? = try folder.lock(for: "the first")
      try Loss.removed.happen(in: url)
      #expect(throws: FileError.self) { try folder.sync(.full) }
      withExtendedLifetime(lock) {}
      lock = try folder.lock(for: "the first")
      try folder.create("a").append([1])
      try folder.sync(.full)
      withExtendedLifetime(lock) {}
    }
  }

  @Test func `P1 a storage whose lock was removed does not overwrite the changes of the next owner`() async throws {
    try await withFolder { url in
      let first = try await OpenNotebook(Storage(at: url))
      try await first.save(.add("milk"))
      try Loss.removed.happen(in: url)
      let second = try await OpenNotebook(Storage(at: url))
      try await second.save(.add("bread"))
      let names = try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
      await #expect {
        try await first.save(.add("tea"))
      } throws: { error in
        if case StorageError.file(let error) = error { error.reason == .lockLost } else { false }
      }
      await #expect(throws: StorageError.self) { try await first.storage.flush() }
      #expect(try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() == names)
      try await second.save(.theme("dark"))
      let (state, report) = try Storage.read(at: url, into: Notebook(), Notebooks.all)
      #expect(state == second.store.state)
      #expect(report.findings == [])
    }
  }

  @Test func `a storage whose lock was removed continues once it has a lock again, if no other owner has written`()
    async throws
  {
    try await withFolder { url in
      let notebook = try await OpenNotebook(Storage(at: url))
      try await notebook.save(.add("milk"))
      try Loss.removed.happen(in: url)
      await #expect(throws: StorageError.self) { try await notebook.save(.add("tea")) }
      await #expect(throws: StorageError.self) { try await notebook.storage.close() }
      try await notebook.storage.reopen()
      try await notebook.storage.flush()
      #expect(try Storage.read(at: url, into: Notebook(), Notebooks.all).state == notebook.store.state)
    }
  }
}
