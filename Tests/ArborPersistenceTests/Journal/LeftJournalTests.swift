import Arbor
import ArborPersistence
import SimulatedFiles
import TestSupport
import Testing

@Suite("Journals that end because their parts are saved without them")
struct LeftJournalTests {
  private let folder = SimulatedFolder()
  private let journal = Journal(of: Notebooks.feature)

  /// Loads a storage whose journal contains one note.
  private func load() async throws -> (storage: Storage, state: Notebook) {
    let first = try await OpenJournal(in: folder)
    try await first.save(.add("milk"))
    first.storage.endAsIfKilled()
    let storage = try Storage(folder, durability: .full)
    return (storage, try await storage.load(into: Notebook(), Notebooks.all, journal).state)
  }

  /// Loads the storage and saves the parts without the journal, while there is no space for the state that replaces it.
  private func leaveWithoutSpace() async throws -> (storage: Storage, store: StoreFactory<Notebook, NotebookAction>) {
    let (storage, state) = try await load()
    folder.failure = { _, _ in .noSpace }
    let monitor = storage.savingWhenAsked(Notebooks.all)
    let store = StoreFactory(
      initialState: state,
      feature: Notebooks.feature,
      settings: TreeSettings(monitors: [monitor])
    )
    await store.dispatchAndWait(.add("bread"))
    await #expect(throws: StorageError.self) { try await storage.flush() }
    folder.failure = { _, _ in nil }
    return (storage, store)
  }

  /// Returns the notes that a program without the journal would load if this program was killed now.
  private func notes() async throws -> [String] {
    try await OpenNotebook(in: folder.afterKill()).store.state.notes
  }

  /// Lets a save fail, so that the next one writes a state.
  private func failOnce(_ body: () async throws -> Void) async {
    folder.failure = { _, operation in operation == .sync ? .other(5) : nil }
    await #expect(throws: StorageError.self) { try await body() }
    folder.failure = { _, _ in nil }
  }

  @Test func `P1 changes saved after the end of a journal stay, regardless of later states`() async throws {
    let storage: Storage
    do {
      let left = try await leaveWithoutSpace()
      storage = left.storage
      try await storage.flush()
      #expect(try await notes() == ["milk", "bread"])
      await failOnce { try await left.store.dispatchDurably(.add("tea")) }
      try await storage.flush()
      #expect(try await notes() == ["milk", "bread", "tea"])
    }
    let (books, _) = try await storage.load(into: Shelf(), Shelf.parts)
    let shelf = StoreFactory(
      initialState: books,
      feature: Shelf.feature,
      settings: TreeSettings(monitors: [storage.savingWhenAsked(Shelf.parts)])
    )
    await failOnce { try await shelf.dispatchDurably(.put(Shelf.Book(id: 1, title: "1"))) }
    try await storage.flush()
    #expect(try await notes() == ["milk", "bread", "tea"])
  }

  @Test func `a journal that could not end in time ends at the next load`() async throws {
    let (storage, _) = try await load()
    folder.failure = { _, _ in .noSpace }
    _ = storage.savingWhenAsked(Notebooks.all)
    await #expect(throws: StorageError.self) { try await storage.flush() }
    folder.failure = { _, _ in nil }
    #expect(try await storage.load(into: Notebook(), Notebooks.all).state.notes == ["milk"])
    #expect(try await notes() == ["milk"])
  }

  @Test func `a journal that should end while the storage is closed ends when the storage is open again`() async throws
  {
    let (storage, state) = try await load()
    try await storage.close()
    let monitor = storage.savingWhenAsked(Notebooks.all)
    let store = StoreFactory(
      initialState: state,
      feature: Notebooks.feature,
      settings: TreeSettings(monitors: [monitor])
    )
    try await storage.reopen()
    try await store.dispatchDurably(.add("bread"))
    #expect(try await notes() == ["milk", "bread"])
  }

  @Test func `parts that were erased before their journal could end do not come back`() async throws {
    let (storage, _) = try await load()
    folder.failure = { _, _ in .noSpace }
    _ = storage.savingWhenAsked(Notebooks.all)
    await #expect(throws: StorageError.self) { try await storage.flush() }
    folder.failure = { _, _ in nil }
    try await storage.erase()
    let (books, _) = try await storage.load(into: Shelf(), Shelf.parts)
    let shelf = StoreFactory(
      initialState: books,
      feature: Shelf.feature,
      settings: TreeSettings(monitors: [storage.savingWhenAsked(Shelf.parts)])
    )
    await failOnce { try await shelf.dispatchDurably(.put(Shelf.Book(id: 1, title: "1"))) }
    try await storage.flush()
    #expect(try await notes() == [])
  }

  @Test func `P1 P4 a journal keeps its actions if the state cannot be written, and the error is reported`()
    async throws
  {
    // The journal can write an infinite size. The state cannot, because it is JSON.
    let journal = Journal(of: Notebooks.feature, coding: .binary)
    let first = try await OpenJournal(in: folder, journal)
    try await first.save(.add("milk"), .size(.infinity))
    let left = folder.afterKill()
    let storage = try Storage(left, durability: .full)
    _ = try await storage.load(into: Notebook(), Notebooks.all, journal)
    _ = storage.savingWhenAsked(Notebooks.all)
    await #expect(throws: StorageError.self) { try await storage.load(into: Shelf(), Shelf.parts) }
    let again = try await OpenJournal(in: left.afterKill(), journal).store.state
    #expect(again == Notebook(settings: .init(size: .infinity), notes: ["milk"]))
  }

  @Test(arguments: [false, true])
  func `P3 the end of a journal does not overwrite changes by another process`(isLeftBefore: Bool) async throws {
    let (storage, _) = try await load()
    folder.failure = { _, _ in .noSpace }
    if isLeftBefore { _ = storage.savingWhenAsked(Notebooks.all) }
    // There is no space for the parts that would replace the actions.
    await #expect(throws: StorageError.self) { try await storage.close() }
    folder.failure = { _, _ in nil }
    let other = try await OpenJournal(in: folder)
    try await other.save(.add("bread"))
    try await other.storage.close()
    await #expect(throws: StorageError.changedElsewhere) { try await storage.reopen() }
    if !isLeftBefore { _ = storage.savingWhenAsked(Notebooks.all) }
    #expect(try await storage.load(into: Notebook(), Notebooks.all, journal).state.notes == ["milk", "bread"])
  }
}
