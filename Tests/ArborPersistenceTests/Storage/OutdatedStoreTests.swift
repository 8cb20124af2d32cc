import Arbor
import ArborPersistence
import SimulatedFiles
import TestSupport
import Testing

@Suite("Stores whose parts were loaded again, or written by others")
struct OutdatedStoreTests {
  private let folder = MemoryFolder()

  @Test func `P3 an action written ahead is refused once the parts of its store are loaded for another store`()
    async throws
  {
    let storage = try Storage(folder, durability: .full)
    let old = try await OpenJournal(storage, writesAhead: true).store
    try await old.dispatchDurably(.add("milk"))
    let new = try await OpenJournal(storage, writesAhead: true).store
    await old.dispatchAndWait(.add("bread"))
    #expect(old.state.notes == ["milk"])
    try await new.dispatchDurably(.add("tea"))
    await #expect(throws: StorageError.refused(#"add("rye")"#, because: .loadedAgain)) {
      try await old.dispatchDurably(.add("rye"))
    }
    #expect(new.state.notes == ["milk", "tea"])
    #expect(try await OpenJournal(in: folder.copy()).store.state.notes == ["milk", "tea"])
  }

  @Test func `P1 an action written ahead while its store's parts are loaded for another store is loaded or refused`()
    async throws
  {
    let storage = try Storage(folder, durability: .full)
    let journal = Journal(of: Notebooks.feature)
    for round in 0..<repetitions(40) + 1 {
      let (state, _) = try await storage.load(into: Notebook(), Notebooks.all, journal)
      let saving = storage.savingWhenAsked(Notebooks.all, journal)
      let ahead = Feature<Notebook, NotebookAction>(interceptors: [saving.writeAhead()])
      let store = StoreFactory(
        initialState: state,
        feature: .combined(Notebooks.feature, ahead),
        settings: TreeSettings(monitors: [saving])
      )
      await store.dispatchAndWait(.add("\(round)"))
      let dispatching = Task.detached { for number in 0..<50 { store.dispatch(.add("\(round) \(number)")) } }
      let (next, _) = try await storage.load(into: Notebook(), Notebooks.all, journal)
      await dispatching.value
      await store.dispatchAndWait(.select(0))
      #expect(store.state.notes == next.notes)
    }
  }

  /// Opens a notebook, and lets another process write to its folder afterward.
  private func openOutdated() async throws -> OpenNotebook {
    let first = try await OpenNotebook(in: folder)
    try await first.save(.add("milk"))
    try await first.storage.close()
    let other = try await OpenNotebook(in: folder)
    try await other.save(.add("bread"))
    try await other.storage.close()
    return first
  }

  @Test func `P3 changes by another process are not overwritten, even if other parts are loaded`() async throws {
    let first = try await openOutdated()
    await #expect(throws: StorageError.changedElsewhere) { try await first.storage.reopen() }
    // This store has no changes yet.
    try await first.storage.flush()
    await first.store.dispatchAndWait(.add("tea"))
    _ = try await first.storage.load(into: Shelf(), Shelf.parts)
    await #expect(throws: StorageError.changedElsewhere) { try await first.storage.flush() }
    #expect(try await OpenNotebook(in: folder.copy()).store.state.notes == ["milk", "bread"])
    #expect(try await OpenNotebook(first.storage).store.state.notes == ["milk", "bread"])
  }

  @Test func `P3 a storage continues from changes written without the lock, and does not overwrite them`() async throws
  {
    // Locking this folder excludes no other process.
    let folder = SimulatedFolder()
    let first = try await OpenJournal(in: folder)
    try await first.save(.add("milk"))
    let other = try await OpenJournal(in: folder)
    try await other.save(.add("bread"))
    _ = try await first.storage.load(into: Shelf(), Shelf.parts)
    await first.store.dispatchAndWait(.add("tea"))
    await #expect(throws: StorageError.changedElsewhere) { try await first.storage.flush() }
    let next = try await OpenJournal(first.storage)
    #expect(next.store.state.notes == ["milk", "bread"])
    try await next.store.dispatchDurably(.add("rye"))
    #expect(try await OpenJournal(in: folder.afterKill()).store.state.notes == ["milk", "bread", "rye"])
    withExtendedLifetime((first, other)) {}
  }

  @Test func `P3 changes by another process cannot be erased before they are loaded`() async throws {
    let first = try await openOutdated()
    try? await first.storage.reopen()
    await #expect(throws: StorageError.changedElsewhere) { try await first.storage.erase() }
    _ = try await OpenNotebook(first.storage)
    try await first.storage.erase()
    #expect(try await OpenNotebook(in: folder.copy()).store.state.notes == [])
  }

  @Test func `P3 a store that is made late does not overwrite changes that another process has made meanwhile`()
    async throws
  {
    let storage = try Storage(folder, durability: .full)
    let (state, _) = try await storage.load(into: Notebook(), Notebooks.all)
    let saving = storage.savingWhenAsked(Notebooks.all)
    try await storage.close()
    let other = try await OpenNotebook(in: folder)
    try await other.save(.add("bread"))
    try await other.storage.close()
    await #expect(throws: StorageError.changedElsewhere) { try await storage.reopen() }
    let late = StoreFactory(
      initialState: state,
      feature: Notebooks.feature,
      settings: TreeSettings(monitors: [saving])
    )
    await #expect(throws: StorageError.changedElsewhere) { try await late.dispatchDurably(.add("tea")) }
    #expect(try await OpenNotebook(in: folder.copy()).store.state.notes == ["bread"])
  }

  @Test func `P3 a store that is made after its parts were loaded for another store saves nothing`() async throws {
    let storage = try Storage(folder, durability: .full)
    let (state, _) = try await storage.load(into: Notebook(), Notebooks.all)
    let saving = storage.savingWhenAsked(Notebooks.all)
    let new = try await OpenNotebook(storage)
    try await new.save(.add("milk"))
    let late = StoreFactory(
      initialState: state,
      feature: Notebooks.feature,
      settings: TreeSettings(monitors: [saving])
    )
    await #expect(throws: StorageError.loadedAgain) { try await late.dispatchDurably(.add("tea")) }
    await #expect(throws: StorageError.loadedAgain) { try await storage.flush() }
    #expect(try await OpenNotebook(in: folder.copy()).store.state.notes == ["milk"])
  }

  @Test func `a store whose parts were loaded again causes no error until it changes something`() async throws {
    let open = try await OpenJournal(in: folder)
    try await open.save(.add("milk"))
    let journal = Journal(of: Notebooks.feature)
    let (state, _) = try await open.storage.load(into: Notebook(), Notebooks.all, journal)
    let monitors = [open.storage.savingWhenAsked(Notebooks.all, journal)]
    let new = StoreFactory(
      initialState: state,
      feature: Notebooks.feature,
      settings: TreeSettings(monitors: monitors)
    )
    new.dispatch(.add("bread"))
    try await open.storage.flush()
    await open.store.dispatchAndWait(.add("tea"))
    await #expect(throws: StorageError.loadedAgain) { try await open.storage.flush() }
    #expect(try await OpenJournal(in: folder.copy()).store.state.notes == ["milk", "bread"])
  }

  /// An action whose release can be observed.
  private final class Token: Codable, Sendable {
    init() {}
    init(from decoder: any Decoder) throws {}
    func encode(to encoder: any Encoder) throws {}
  }

  @Test func `actions of a store with a closed storage are not retained, and its state is saved after reopening`()
    async throws
  {
    let feature = Feature<Int, Token> { state, _ in state += 1 }
    let (part, journal) = (Persisted(\Int.self, as: "count"), Journal(of: feature))
    let storage = try Storage(folder, durability: .full)
    let (state, _) = try await storage.load(into: 0, [part], journal)
    let monitors = [storage.savingWhenAsked([part], journal)]
    let store = StoreFactory(initialState: state, feature: feature, settings: TreeSettings(monitors: monitors))
    try await storage.close()
    await #expect(throws: StorageError.closed) { try await store.dispatchDurably(Token()) }
    weak var token: Token?
    do {
      let action = Token()
      token = action
      await store.dispatchAndWait(action)
    }
    await store.dispatchAndWait(Token())
    #expect(token == nil)
    try await storage.reopen()
    try await storage.flush()
    let again = try await Storage(folder.copy(), durability: .full).load(into: 0, [part], journal)
    #expect(again.state == 3)
  }
}
