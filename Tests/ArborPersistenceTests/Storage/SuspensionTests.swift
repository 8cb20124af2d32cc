import Arbor
import ArborPersistence
import Foundation
import Testing

@Suite("Storages of programs in the background")
struct SuspensionTests {
  /// An open notebook in a folder on the disk, where locks are real.
  private struct Opened {
    let folder: URL
    let notebook: OpenNotebook

    var storage: Storage { notebook.storage }

    /// `true` if another process can lock the folder.
    var isFree: Bool { (try? DiskFolder(at: folder.path).lock(for: "another process")) != nil }

    var stored: [String] {
      get throws { try Storage.read(at: folder, into: Notebook(), Notebooks.all).state.notes }
    }
  }

  private func withNotebook(_ body: (Opened) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(Opened(folder: folder, notebook: OpenNotebook(Storage(at: folder))))
  }

  @Test func `everything is saved, and other processes can use the folder until the program resumes`() async throws {
    try await withNotebook { opened in
      opened.notebook.store.dispatch(.add("milk"))
      opened.storage.suspend(isInTime: true)
      #expect(opened.isFree)
      #expect(try opened.stored == ["milk"])
      opened.storage.resume()
      try await opened.notebook.save(.add("bread"))
      #expect(!opened.isFree)
      #expect(try opened.stored == ["milk", "bread"])
    }
  }

  @Test func `if there is no time to save, everything is saved only after the program resumes`() async throws {
    try await withNotebook { opened in
      opened.notebook.store.dispatch(.add("milk"))
      opened.storage.suspend(isInTime: false)
      #expect(opened.isFree)
      #expect(try opened.stored == [])
      await #expect(throws: StorageError.closed) { try await opened.storage.flush() }
      opened.storage.resume()
      try await opened.storage.flush()
      #expect(try opened.stored == ["milk"])
    }
  }

  @Test(arguments: [false, true]) func `a storage that was closed stays closed`(isClosedBefore: Bool) async throws {
    try await withNotebook { opened in
      if isClosedBefore { try await opened.storage.close() }
      opened.storage.suspend(isInTime: true)
      if !isClosedBefore { try await opened.storage.close() }
      opened.storage.resume()
      opened.notebook.store.dispatch(.add("milk"))
      await #expect(throws: StorageError.closed) { try await opened.storage.flush() }
      #expect(opened.isFree)
    }
  }

  @Test func `a program that resumes before the storage is closed keeps it open`() async throws {
    try await withNotebook { opened in
      opened.storage.suspend(isInTime: true) { false }
      try await opened.notebook.save(.add("milk"))
      #expect(!opened.isFree)
    }
  }
}
