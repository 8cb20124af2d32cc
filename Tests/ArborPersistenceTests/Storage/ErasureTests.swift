import Arbor
import ArborPersistence
import ArborTesting
import SimulatedFiles
import TestSupport
import Testing

@Suite("Erased storages")
struct ErasureTests {
  private let folder = SimulatedFolder()

  @Test func `actions that wait to be written ahead and an erasure that waits for them do not deadlock`() async throws {
    let storage = try Storage(folder, durability: .full)
    let journal = Journal(of: Notebooks.feature)
    let (state, _) = try await storage.load(into: Notebook(), Notebooks.all, journal)
    let saving = storage.savingWhenAsked(Notebooks.all, journal)
    let executor = ManualExecutor()
    defer { withExtendedLifetime(executor) {} }
    let store = StoreFactory(
      initialState: state,
      feature: .combined(Notebooks.feature, Feature(interceptors: [saving.writeAhead()])),
      settings: TreeSettings(monitors: [saving], executor: executor)
    )
    store.dispatch(.add("milk"))
    store.dispatch(.add("bread"))
    try await storage.erase()
    #expect(store.state.notes == ["milk", "bread"])
    try await storage.flush()
    #expect(try await OpenJournal(in: folder.afterKill()).store.state.notes == [])
  }

  @Test func `parts erased before their store is made are not stored again until they change`() async throws {
    let storage = try Storage(folder, durability: .full)
    let (state, _) = try await storage.load(into: Notebook(settings: .init(theme: "dark")), Notebooks.all)
    let saving = storage.savingWhenAsked(Notebooks.all)
    try await storage.erase()
    let store = StoreFactory(
      initialState: state,
      feature: Notebooks.feature,
      settings: TreeSettings(monitors: [saving])
    )
    try await storage.flush()
    #expect(try await load(storage).report.outcomes == ["settings": "fresh", "notes": "fresh"])
    withExtendedLifetime(store) {}
  }

  @Test func `the first change of a store made after an erasure is stored with all its parts`() async throws {
    try await OpenNotebook(in: folder).save(.theme("dark"))
    let storage = try Storage(folder.afterKill(), durability: .full)
    let (state, _) = try await load(storage)
    let saving = storage.savingWhenAsked(Notebooks.all)
    try await storage.erase()
    let store = StoreFactory(
      initialState: state,
      feature: Notebooks.feature,
      settings: TreeSettings(monitors: [saving])
    )
    store.dispatch(.add("milk"))
    try await storage.flush()
    #expect(try await load(storage).state == Notebook(settings: .init(theme: "dark"), notes: ["milk"]))
  }

  @Test func `P1 an action that changes nothing after an erasure is stored with all parts, in any later state`()
    async throws
  {
    let open = try await OpenJournal(in: folder)
    try await open.save(.add("milk"))
    let (books, _) = try await open.storage.load(into: Shelf(), Shelf.parts)
    let shelf = StoreFactory(
      initialState: books,
      feature: Shelf.feature,
      settings: TreeSettings(monitors: [open.storage.savingWhenAsked(Shelf.parts)])
    )
    try await open.storage.erase()
    try await shelf.dispatchDurably(.put(Shelf.Book(id: 1, title: "1")))
    folder.failure = { _, operation in operation == .sync ? .other(5) : nil }
    await #expect(throws: StorageError.self) { try await shelf.dispatchDurably(.put(Shelf.Book(id: 2, title: "2"))) }
    folder.failure = { _, _ in nil }
    await open.store.dispatchAndWait(.theme("light"))
    try await open.storage.flush()
    #expect(try await OpenJournal(in: folder.afterKill()).store.state.notes == ["milk"])
  }

  @Test func `P1 an action that waits after an erasure is stored with all parts when another store writes a state`()
    async throws
  {
    let storage = try Storage(folder, durability: .full)
    let journal = Journal(of: Notebooks.feature)
    let (state, _) = try await storage.load(into: Notebook(), Notebooks.all, journal)
    let saving = storage.saving(Notebooks.all, journal, groupedFor: .seconds(3600))
    let store = StoreFactory(
      initialState: state,
      feature: Notebooks.feature,
      settings: TreeSettings(monitors: [saving])
    )
    try await store.dispatchDurably(.add("milk"))
    let (books, _) = try await storage.load(into: Shelf(), Shelf.parts)
    let shelf = StoreFactory(
      initialState: books,
      feature: Shelf.feature,
      settings: TreeSettings(monitors: [storage.savingWhenAsked(Shelf.parts)])
    )
    try await storage.erase()
    await store.dispatchAndWait(.theme("light"))
    // This text is too long for a log, so a state is written.
    try await shelf.dispatchDurably(.text(String(repeating: "x", count: 300_000)))
    try await shelf.dispatchDurably(.text("y"))
    #expect(try await OpenJournal(in: folder.afterKill()).store.state.notes == ["milk"])
  }

  @Test func `after an erasure, all parts are written once, and then only actions`() async throws {
    let open = try await OpenJournal(in: folder)
    try await open.save(.add("milk"))
    try await open.storage.erase()
    try await open.save(.add("bread"))
    let states = try folder.names().filter { $0.hasSuffix(".state") }
    for text in ["tea", "salt"] { try await open.save(.add(text)) }
    #expect(try folder.names().filter { $0.hasSuffix(".state") } == states)
    #expect(try await OpenJournal(in: folder.afterKill()).store.state.notes == ["milk", "bread", "tea", "salt"])
  }

  @Test func `a part that is not equal to itself is not stored again after an erasure until it changes`() async throws {
    let storage = try Storage(folder, durability: .full)
    let parts = [Persisted(\Notebook.settings, as: "settings", coding: .binary)]
    let (state, _) = try await storage.load(into: Notebook(settings: .init(size: .nan)), parts)
    let saving = storage.savingWhenAsked(parts)
    let store = StoreFactory(
      initialState: state,
      feature: Notebooks.feature,
      settings: TreeSettings(monitors: [saving])
    )
    try await storage.flush()
    try await storage.erase()
    let size = folder.operations
    try await storage.flush()
    #expect(folder.operations == size)
    store.dispatch(.theme("dark"))
    try await storage.flush()
    #expect(folder.operations > size)
  }

  private func load(_ storage: Storage) async throws -> (state: Notebook, report: LoadReport) {
    try await storage.load(into: Notebook(), Notebooks.all)
  }

  @Test func `P4 an erasure that fails at any operation throws, and erasing again removes everything`() async throws {
    let count = try await erase(failingAt: 0)
    for number in 1...count { _ = try await erase(failingAt: number) }
  }

  /// Erases a notebook while an operation fails. Returns the number of operations.
  private func erase(failingAt number: Int) async throws -> Int {
    let folder = SimulatedFolder()
    let open = try await OpenNotebook(in: folder)
    try await open.save(.add("milk"))
    let start = folder.operations
    folder.failure = { operation, _ in operation - start == number ? .noSpace : nil }
    if number == 0 {
      try await open.storage.erase()
    } else {
      await #expect(throws: StorageError.self) { try await open.storage.erase() }
    }
    let count = folder.operations - start
    folder.failure = { _, _ in nil }
    if number > 0 { try await open.storage.erase() }
    // A system crash doesn't restore the files either.
    var random = SplitMix64(seed: UInt64(number))
    #expect(try folder.afterCrash(choosing: &random).names() == folder.names())
    let again = try await OpenNotebook(in: folder.afterKill())
    #expect(again.report.outcomes == ["notes": "fresh", "settings": "fresh"])
    await open.store.dispatchAndWait(.theme("dark"))
    try await open.storage.flush()
    let last = try await OpenNotebook(in: folder.afterKill())
    #expect(last.store.state == Notebook(settings: .init(theme: "dark"), notes: ["milk"]))
    return count
  }
}
