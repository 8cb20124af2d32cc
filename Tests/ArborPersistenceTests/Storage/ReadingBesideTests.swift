import Arbor
import ArborPersistence
import Foundation
import TestSupport
import Testing

@Suite("Reading while a storage has an owner")
struct ReadingBesideTests {
  private func withFolder(_ body: (URL) async throws -> Void) async throws {
    let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: url) }
    try await body(url)
  }

  @Test func `reading returns the parts of the last save, and writes nothing`() async throws {
    try await withFolder { folder in
      let notebook = try await OpenNotebook(Storage(at: folder))
      try await notebook.save(.add("milk"))
      notebook.store.dispatch(.add("bread"))
      _ = notebook.store.state
      let before = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      let (state, report) = try Storage.read(at: folder, into: Notebook(), Notebooks.all)
      #expect(state.notes == ["milk"])
      #expect(report.outcomes == ["notes": "loaded", "settings": "loaded"])
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == before)
      try await notebook.storage.flush()
      #expect(try Storage.read(at: folder, into: Notebook(), Notebooks.all).state.notes == ["milk", "bread"])
    }
  }

  @Test func `reading reduces the actions of a journal`() async throws {
    try await withFolder { folder in
      let journal = Journal(of: Notebooks.feature)
      let storage = try Storage(at: folder)
      let (state, _) = try await storage.load(into: Notebook(), Notebooks.all, journal)
      let store = StoreFactory(
        initialState: state,
        feature: Notebooks.feature,
        settings: TreeSettings(monitors: [storage.savingWhenAsked(Notebooks.all, journal)])
      )
      try await store.dispatchDurably(.add("milk"))
      #expect(throws: StorageError.journalNotDeclared) {
        try Storage.read(at: folder, into: Notebook(), Notebooks.all)
      }
      let (seen, report) = try Storage.read(at: folder, into: Notebook(), Notebooks.all, journal)
      #expect(seen.notes == ["milk"])
      #expect(report.journal?.replayed == 1)
    }
  }

  @Test func `a state that is read while the owner saves always comes from one moment`() async throws {
    try await withFolder { folder in
      let notebook = try await OpenNotebook(Storage(at: folder))
      try await notebook.save(.add("0"), .size(1))
      let last = repetitions(200)
      let reading = Task.detached {
        var seen = 0
        while seen < last {
          let (state, _) = try Storage.read(at: folder, into: Notebook(), Notebooks.all)
          #expect(Double(state.notes.count) == state.settings.size)
          seen = state.notes.count
          // The owner may need the thread.
          await Task.yield()
        }
      }
      for number in 2...last {
        notebook.store.dispatch(batch: [.add(String(repeating: "x", count: 4000)), .size(Double(number))])
        try await notebook.storage.flush()
      }
      try await reading.value
    }
  }

  @Test func `reading a missing folder throws an error and does not create the folder`() {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    #expect(throws: StorageError.file(FileError(.list, folder.path, .missing))) {
      try Storage.read(at: folder, into: Notebook(), Notebooks.all)
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path))
  }
}
