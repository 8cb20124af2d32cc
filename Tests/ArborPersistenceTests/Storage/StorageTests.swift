import Arbor
import ArborPersistence
import Foundation
import SimulatedFiles
import Testing

@Suite("Storages")
struct StorageTests {
  private let folder = MemoryFolder()

  @Test func `P1 flushed parts are loaded again, and undeclared ones are not stored`() async throws {
    let first = try await OpenNotebook(in: folder)
    #expect(first.report.outcomes == ["notes": "fresh", "settings": "fresh"])
    try await first.save(.add("milk"), .theme("dark"), .select(0))
    let second = try await OpenNotebook(in: folder.copy())
    #expect(second.store.state == Notebook(settings: .init(theme: "dark"), notes: ["milk"]))
    #expect(second.report.outcomes == ["notes": "loaded", "settings": "loaded"])
    #expect(second.report.findings.isEmpty)
  }

  @Test(arguments: ["dispatchDurably", "flush", "snapshot", "close"])
  func `P1 a canceled task still waits until the storage has stored its change`(call: String) async throws {
    let folder = SimulatedFolder()
    let notebook = try await OpenNotebook(in: folder)
    let (store, storage) = (notebook.store, notebook.storage)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      if call == "dispatchDurably" { return try await store.dispatchDurably(.add("milk")) }
      store.dispatch(.add("milk"))
      switch call {
      case "flush": try await storage.flush()
      case "snapshot": try await storage.snapshot()
      default: try await storage.close()
      }
    }
    try await task.value
    #expect(try await OpenNotebook(in: folder.afterKill()).store.state.notes == ["milk"])
  }

  @Test func `only changed parts are written`() async throws {
    let notebook = try await OpenNotebook(in: folder)
    try await notebook.save(.add("milk"))
    let both = folder.size
    try await notebook.save(.select(1))
    #expect(folder.size == both)
    try await notebook.save(.theme("dark"))
    let settings = folder.size - both
    #expect((1..<120).contains(settings))
    try await notebook.save(.theme("light"), .theme("dark"))
    #expect(folder.size == both + settings)
  }

  @Test func `the last state is saved after the store is released`() async throws {
    var notebook: OpenNotebook? = try await OpenNotebook(in: folder)
    notebook?.store.dispatch(.add("milk"))
    let storage = notebook!.storage
    notebook = nil
    try await storage.flush()
    #expect(try await OpenNotebook(in: folder.copy()).store.state.notes == ["milk"])
  }

  @Test func `P1 the last state is saved after a failure, even if it equals the state saved before`() async throws {
    let folder = SimulatedFolder()
    var notebook: OpenNotebook? = try await OpenNotebook(in: folder)
    try await notebook?.save(.theme("dark"))
    // The change is in the files, but cannot be made durable.
    folder.failure = { _, operation in operation == .sync ? .other(5) : nil }
    await notebook?.store.dispatchAndWait(.theme("blue"))
    await #expect(throws: StorageError.self) { try await notebook?.storage.close() }
    folder.failure = { _, _ in nil }
    await notebook?.store.dispatchAndWait(.theme("dark"))
    let storage = notebook!.storage
    notebook = nil
    await #expect(throws: StorageError.closed) { try await storage.flush() }
    try await storage.reopen()
    try await storage.flush()
    #expect(try await OpenNotebook(in: folder.afterKill()).store.state.settings.theme == "dark")
  }

  @Test func `parts of a released store are kept in the states that other stores write`() async throws {
    var first: OpenNotebook? = try await OpenNotebook(in: folder, [Notebooks.settings])
    try await first?.save(.theme("dark"))
    let storage = first!.storage
    first = nil
    let second = try await OpenNotebook(storage, [Notebooks.notes])
    for number in 0..<10 { try await second.save(.add(String(repeating: "\(number)", count: 50_000))) }
    let third = try await OpenNotebook(in: folder.copy())
    #expect(third.store.state.settings.theme == "dark")
    #expect(third.store.state.notes.count == 10)
    // Earlier files were removed, so the folder doesn't have all ten versions of the notes.
    #expect(folder.size < 1_500_000)
  }

  @Test func `a part that is no longer declared is kept and reported`() async throws {
    try await OpenNotebook(in: folder).save(.add("milk"), .theme("dark"))
    let copy = folder.copy()
    let fewer = try await OpenNotebook(in: copy, [Notebooks.notes])
    #expect(fewer.report.undeclared == ["settings"])
    for number in 0..<10 { try await fewer.save(.add(String(repeating: "\(number)", count: 50_000))) }
    #expect(try await OpenNotebook(in: copy.copy()).store.state.settings.theme == "dark")
  }

  @Test func `P2 a newer part is refused, or kept and never saved`() async throws {
    let newer = Persisted(\Notebook.settings, as: "settings", version: 2)
    try await OpenNotebook(in: folder, [newer, Notebooks.notes]).save(.theme("dark"), .add("milk"))
    let copy = folder.copy()
    await #expect(throws: StorageError.newerPart("settings", stored: 2, known: 1)) {
      try await OpenNotebook(in: copy)
    }
    let older = try await OpenNotebook(in: folder.copy(), options: .keepNewer)
    #expect(older.report.outcomes == ["notes": "loaded", "settings": "newer: 2"])
    #expect(older.store.state.notes == ["milk"])
    #expect(older.store.state.settings.theme == "light")
  }

  @Test func `a newer part is still stored after a process that does not know its version has saved`() async throws {
    let newer = Persisted(\Notebook.settings, as: "settings", version: 2)
    try await OpenNotebook(in: folder, [newer]).save(.theme("dark"))
    let copy = folder.copy()
    let older = try await OpenNotebook(in: copy, options: .keepNewer)
    for number in 0..<10 {
      try await older.save(.theme("\(number)"), .add(String(repeating: "\(number)", count: 50_000)))
    }
    let again = try await OpenNotebook(in: copy.copy(), [newer, Notebooks.notes])
    #expect(again.store.state.settings.theme == "dark")
    #expect(again.store.state.notes.count == 10)
  }

  @Test func `erased parts are gone, and later changes are saved`() async throws {
    let notebook = try await OpenNotebook(in: folder)
    try await notebook.save(.add("milk"), .theme("dark"))
    try await notebook.storage.erase()
    #expect(try await OpenNotebook(in: folder.copy()).store.state == Notebook())
    try await notebook.save(.add("bread"))
    let again = try await OpenNotebook(in: folder.copy())
    #expect(again.store.state.notes == ["milk", "bread"])
    #expect(again.store.state.settings.theme == "dark")
  }

  @Test func `a storage has one owner, and a second one gets an error that names the first`() async throws {
    let storage = try Storage(folder, durability: .full)
    let error = #expect(throws: StorageError.self) { try Storage(self.folder, durability: .full) }
    #expect("\(error!)".contains("is in use by"))
    #expect("\(error!)".contains("process \(ProcessInfo.processInfo.processIdentifier)"))
    withExtendedLifetime(storage) {}
  }

  @Test func `P4 the error of a folder that cannot be made contains the system's error number`() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    try Data().write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    for (path, number) in [(path, ENOTDIR), (path + "/folder", ENOTDIR)] {
      let error = #expect(throws: StorageError.self) { try Storage(at: URL(filePath: path)) }
      guard case .file(let error) = error else { return }
      #expect((error.operation, error.path) == (.create, path))
      #expect(error.reason == .other(number))
    }
  }

  @Test func `a closed storage has saved everything, saves nothing more, and continues when it is reopened`()
    async throws
  {
    let notebook = try await OpenNotebook(in: folder)
    notebook.store.dispatch(.add("milk"))
    try await notebook.storage.close()
    #expect(try await OpenNotebook(in: folder.copy()).store.state.notes == ["milk"])
    notebook.store.dispatch(.add("bread"))
    await #expect(throws: StorageError.closed) { try await notebook.storage.flush() }
    try await notebook.storage.reopen()
    try await notebook.storage.flush()
    #expect(try await OpenNotebook(in: folder.copy()).store.state.notes == ["milk", "bread"])
  }

  @Test func `changes that another process has made meanwhile are not overwritten`() async throws {
    let notebook = try await OpenNotebook(in: folder)
    try await notebook.save(.add("milk"))
    try await notebook.storage.close()
    let other = try await OpenNotebook(in: folder)
    try await other.save(.add("bread"))
    let error = await #expect(throws: StorageError.self) { try await notebook.storage.reopen() }
    #expect("\(error!)".contains("is in use by"))
    try await other.storage.close()
    await #expect(throws: StorageError.changedElsewhere) { try await notebook.storage.reopen() }
    notebook.store.dispatch(.add("tea"))
    await #expect(throws: StorageError.changedElsewhere) { try await notebook.storage.flush() }
    #expect(try await OpenNotebook(in: folder.copy()).store.state.notes == ["milk", "bread"])
    // If it is loaded again, it has the changes of the other process.
    #expect(try await OpenNotebook(notebook.storage).store.state.notes == ["milk", "bread"])
  }

  @Test func `parts are saved as they were loaded, regardless of later declarations with their names`() async throws {
    let folder = MemoryFolder()
    let storage = try Storage(folder, durability: .full)
    let declared = Persisted(\Notebook.notes, as: "notes")
    let (state, _) = try await storage.load(into: Notebook(), [declared])
    let other = Persisted(
      \Notebook.settings, as: "notes", version: 2, migrations: [.from(1) { (_: [String]) in Notebook.Settings() }])
    let store = StoreFactory(
      initialState: state,
      feature: Notebooks.feature,
      settings: TreeSettings(monitors: [storage.savingWhenAsked([other])])
    )
    await store.dispatchAndWait(.add("milk"))
    try await storage.flush()
    #expect(
      try await Storage(folder.copy(), durability: .full).load(into: Notebook(), [declared]).state.notes == ["milk"])
  }

  /// A state with a part that cannot be compared.
  private struct Drawing: Sendable {
    struct Pen: Codable, Sendable {
      var width = 1.0
    }

    var pen = Pen()
  }

  @Test func `a part that cannot be compared is not written as long as its bytes are the same`() async throws {
    let parts = [Persisted(\Drawing.pen, as: "pen")]
    let feature = Feature<Drawing, Double> { state, width in state.pen.width = width }
    func open(_ folder: MemoryFolder) async throws -> StoreFactory<Drawing, Double> {
      let storage = try Storage(folder, durability: .full)
      let (state, _) = try await storage.load(into: Drawing(), parts)
      return StoreFactory(
        initialState: state,
        feature: feature,
        settings: TreeSettings(monitors: [storage.savingWhenAsked(parts)])
      )
    }
    try await open(folder).dispatchDurably(2)
    let folder = folder.copy()
    let store = try await open(folder)
    let size = folder.size
    try await store.dispatchDurably(2)
    #expect(folder.size == size)
    try await store.dispatchDurably(3)
    #expect(folder.size > size)
  }
}
