import Arbor
import ArborPersistence
import Foundation
import TestSupport
import Testing

/// Folders written by versions of the library. Each later version must read them.
@Suite("Storages of every version")
struct KeptStorageTests {
  /// The versions of the format. Each has its own folder next to this file.
  private static let versions = [1]

  private static func folder(_ version: Int, _ name: String) -> URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Version\(version)/\(name)")
  }

  /// Returns a copy of a folder, in memory.
  private func kept(_ version: Int, _ name: String) throws -> MemoryFolder {
    let (url, folder) = (Self.folder(version, name), MemoryFolder())
    let files = try DiskFolder(at: url.path)
    for name in try files.names() {
      if let file = try files.open(name) { try folder.create(name).append(file.readAll()) }
    }
    return folder
  }

  private static let actions: [ShelfAction] =
    [.text("a")] + (1...5).map { .put(Shelf.Book(id: $0, title: "Emma \($0)")) } + [
      .put(Shelf.Book(id: 3, title: "Walden")), .remove(1),
    ]

  private static let shelf = actions.reduce(into: Shelf()) { shelf, action in Shelf.reduce(&shelf, action) }

  @Test(arguments: versions)
  func `P5 parts of both codings are read with their changes`(version: Int) async throws {
    let (state, report) = try await Storage(kept(version, "parts"), durability: .full).load(into: Shelf(), Shelf.parts)
    #expect(state.kept == Self.shelf.kept)
    #expect(report.notes == [])
  }

  @Test(arguments: versions)
  func `P5 a journal after a snapshot is read`(version: Int) async throws {
    let (state, report) = try await Storage(kept(version, "journal"), durability: .full)
      .load(into: Shelf(), Shelf.parts, Journal(of: Shelf.feature, coding: .binary))
    #expect(state.kept == Self.shelf.kept)
    #expect(report.journal?.replayed == 1)
    #expect(report.notes == [])
  }

  /// Writes the folders of the current version: `ARBOR_KEEP=1 swift test --filter KeptStorageTests`.
  @Test(.enabled(if: Setting.number("ARBOR_KEEP") == 1)) func `folders of this version are written`() async throws {
    let version = Self.versions.last!
    for name in ["parts", "journal"] {
      let url = Self.folder(version, name)
      try? FileManager.default.removeItem(at: url)
      let storage = try Storage(at: url)
      let store: StoreFactory<Shelf, ShelfAction>
      if name == "parts" {
        let (state, _) = try await storage.load(into: Shelf(), Shelf.parts)
        store = StoreFactory(
          initialState: state,
          feature: Shelf.feature,
          settings: TreeSettings(monitors: [storage.savingWhenAsked(Shelf.parts)])
        )
      } else {
        let journal = Journal(of: Shelf.feature, coding: .binary)
        let (state, _) = try await storage.load(into: Shelf(), Shelf.parts, journal)
        store = StoreFactory(
          initialState: state,
          feature: Shelf.feature,
          settings: TreeSettings(monitors: [storage.savingWhenAsked(Shelf.parts, journal)])
        )
      }
      for (index, action) in Self.actions.enumerated() {
        try await store.dispatchDurably(action)
        // After an erasure, everything is written again, as a snapshot.
        if index == 5 { try await storage.erase() }
      }
      try await storage.close()
      try? FileManager.default.removeItem(at: url.appending(path: "lock"))
    }
  }
}
