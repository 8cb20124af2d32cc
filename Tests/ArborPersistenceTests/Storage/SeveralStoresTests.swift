import Arbor
import ArborPersistence
import TestSupport
import Testing

/// A table, and a notebook with a journal, in one storage.
@Suite("Several stores of one storage")
struct SeveralStoresTests {
  private let folder = MemoryFolder()

  /// The storage and its two stores.
  private struct Pair {
    let storage: Storage
    let notebook: StoreFactory<Notebook, NotebookAction>
    let shelf: StoreFactory<Shelf, ShelfAction>

    init(
      in folder: MemoryFolder,
      _ journal: Journal<Notebook, NotebookAction> = Journal(of: Notebooks.feature),
      writesAhead: Bool = false
    ) async throws {
      storage = try Storage(folder, durability: .full, background: { $0() })
      let (state, _) = try await storage.load(into: Notebook(), Notebooks.all, journal)
      let saving = storage.savingWhenAsked(Notebooks.all, journal)
      let ahead = Feature<Notebook, NotebookAction>(interceptors: writesAhead ? [saving.writeAhead()] : [])
      notebook = StoreFactory(
        initialState: state,
        feature: .combined(Notebooks.feature, ahead),
        settings: TreeSettings(monitors: [saving])
      )
      let (books, _) = try await storage.load(into: Shelf(), Shelf.parts)
      shelf = StoreFactory(
        initialState: books,
        feature: Shelf.feature,
        settings: TreeSettings(monitors: [storage.savingWhenAsked(Shelf.parts)])
      )
    }
  }

  private func put(_ id: Int) -> ShelfAction { .put(Shelf.Book(id: id, title: "\(id)")) }

  @Test func `P1 a snapshot of a journal contains a table as it was saved`() async throws {
    let journal = Journal(of: Notebooks.feature, snapshotEvery: 5)
    let pair = try await Pair(in: folder, journal)
    for round in 0..<6 {
      for number in 0..<7 { pair.notebook.dispatch(.add("\(round) \(number)")) }
      await pair.shelf.dispatchAndWait(put(round))
      try await pair.storage.flush()
    }
    let again = try await Pair(in: folder.copy(), journal)
    #expect(again.shelf.state.books.map(\.id) == Array(0..<6))
    #expect(again.notebook.state.notes.count == 42)
  }

  @Test func `each log contains the form of the actions, regardless of which store began it`() async throws {
    let pair = try await Pair(in: folder, Journal(of: Notebooks.feature, snapshotEvery: 5))
    for number in 0..<10 { pair.notebook.dispatch(.add("\(number)")) }
    try await pair.storage.flush()
    try await pair.shelf.dispatchDurably(put(1))
    try await pair.notebook.dispatchDurably(.add("last"))
    let migration = Migration.from(1) { (old: NotebookAction) -> NotebookAction in
      if case .add(let text) = old { .add(text + "!") } else { old }
    }
    let newer = Journal(of: Notebooks.feature, version: 2, migrations: [migration])
    #expect(try await Pair(in: folder.copy(), newer).notebook.state.notes.last == "last!")
  }

  @Test func `P1 actions written ahead while other parts are loaded are numbered once`() async throws {
    let pair = try await Pair(in: folder, writesAhead: true)
    let dispatching = Task.detached { for number in 0..<200 { pair.notebook.dispatch(.add("\(number)")) } }
    for _ in 0..<20 {
      struct Window: Codable, Equatable, Sendable {
        var width = 1
      }
      _ = try await pair.storage.load(into: Window(), [Persisted(\Window.self, as: "window")])
    }
    await dispatching.value
    try await pair.storage.flush()
    let again = try await Pair(in: folder.copy())
    #expect(again.notebook.state.notes == (0..<200).map { "\($0)" })
  }

  @Test func `P1 actions written ahead while a state is written are in the state or in a log after it`() async throws {
    let pair = try await Pair(in: folder, writesAhead: true)
    let dispatching = Task.detached { for number in 0..<300 { pair.notebook.dispatch(.add("\(number)")) } }
    let rounds = repetitions(20) + 1
    for id in 0..<rounds {
      // Each text is as long as the logs may be, so each save writes a state.
      pair.shelf.dispatch(.text(String(repeating: "x", count: 300_000)))
      pair.shelf.dispatch(put(id))
      try await pair.storage.flush()
    }
    await dispatching.value
    try await pair.storage.flush()
    let again = try await Pair(in: folder.copy())
    #expect(again.notebook.state.notes == (0..<300).map { "\($0)" })
    #expect(again.shelf.state.books.count == rounds)
  }

  @Test func `after an erasure, one store's actions are stored, but not the parts of another store`() async throws {
    let pair = try await Pair(in: folder, writesAhead: true)
    pair.shelf.dispatch(put(1))
    try await pair.notebook.dispatchDurably(.add("milk"))
    try await pair.storage.flush()
    try await pair.storage.erase()
    try await pair.notebook.dispatchDurably(.add("bread"))
    try await pair.storage.flush()
    let again = try await Pair(in: folder.copy())
    #expect(again.notebook.state.notes == ["milk", "bread"])
    #expect(again.shelf.state.books.count == 0)
  }

  @Test func `a storage without content can be erased, and sending to a released store is an error`() async throws {
    let storage = Storage.inMemory()
    try await storage.erase()
    let (state, _) = try await storage.load(into: Notebook(), Notebooks.all)
    var factory: StoreFactory? = StoreFactory(
      initialState: state,
      feature: Notebooks.feature,
      settings: TreeSettings(monitors: [storage.savingWhenAsked(Notebooks.all)])
    )
    let store = try #require(factory).asStore
    factory = nil
    await #expect(throws: StorageError.storeGone) { try await store.dispatchDurably(.add("milk")) }
  }

  @Test func `P1 flush throws if a store changes after its parts were loaded for another store`() async throws {
    let first = try await OpenNotebook(in: folder)
    try await first.save(.add("milk"))
    let (state, _) = try await first.storage.load(into: Notebook(), Notebooks.all)
    #expect(state.notes == ["milk"])
    try await first.storage.flush()
    first.store.dispatch(.add("bread"))
    await #expect(throws: StorageError.loadedAgain) { try await first.storage.flush() }
  }

  @Test func `P1 the actions of a released store are still stored after another store writes a state`() async throws {
    let storage = try Storage(folder, durability: .full, background: { $0() })
    var notebook: StoreFactory<Notebook, NotebookAction>?
    let journal = Journal(of: Notebooks.feature)
    let (state, _) = try await storage.load(into: Notebook(), Notebooks.all, journal)
    notebook = StoreFactory(
      initialState: state,
      feature: Notebooks.feature,
      settings: TreeSettings(monitors: [storage.savingWhenAsked(Notebooks.all, journal)])
    )
    try await notebook?.dispatchDurably(.add("milk"))
    notebook = nil
    let (books, _) = try await storage.load(into: Shelf(), Shelf.parts)
    let shelf = StoreFactory(
      initialState: books,
      feature: Shelf.feature,
      settings: TreeSettings(monitors: [storage.savingWhenAsked(Shelf.parts)])
    )
    for _ in 0..<2 { try await shelf.dispatchDurably(.text(String(repeating: "x", count: 300_000))) }
    #expect(folder.names().contains { $0 != "1.state" && $0.hasSuffix(".state") })
    #expect(try await Pair(in: folder.copy()).notebook.state.notes == ["milk"])
  }

  @Test func `a second journal in a storage stops the program with a message`() async {
    await #expect(processExitsWith: .failure) {
      let storage = Storage.inMemory()
      _ = try await storage.load(into: Notebook(), [Notebooks.notes], Journal(of: Notebooks.feature))
      _ = try await storage.load(into: Shelf(), Shelf.parts, Journal(of: Shelf.feature))
    }
  }

  @Test func `a second monitor for parts that were loaded together stops the program with a message`() async {
    await #expect(processExitsWith: .failure) {
      let storage = Storage.inMemory()
      _ = try await storage.load(into: Notebook(), Notebooks.all, Journal(of: Notebooks.feature))
      _ = storage.savingWhenAsked([Notebooks.notes])
      _ = storage.savingWhenAsked([Notebooks.settings])
    }
  }

  @Test func `a store that writes ahead without the monitor stops the program with a message`() async {
    await #expect(processExitsWith: .failure) {
      let (storage, journal) = (Storage.inMemory(), Journal(of: Notebooks.feature))
      let (state, _) = try await storage.load(into: Notebook(), Notebooks.all, journal)
      let saving = storage.savingWhenAsked(Notebooks.all, journal)
      let ahead = Feature<Notebook, NotebookAction>(interceptors: [saving.writeAhead()])
      let store = StoreFactory(initialState: state, feature: .combined(Notebooks.feature, ahead))
      await store.dispatchAndWait(.add("milk"))
    }
  }

  @Test func `a journal ends when its parts are saved without it`() async throws {
    let journal = Journal(of: Notebooks.feature)
    let open = try await OpenJournal(in: folder)
    try await open.save(.add("milk"))
    open.storage.endAsIfKilled()
    let storage = try Storage(folder, durability: .full)
    await #expect(throws: StorageError.journalNotDeclared) {
      try await storage.load(into: Notebook(), Notebooks.all)
    }
    let (state, _) = try await storage.load(into: Notebook(), Notebooks.all, journal)
    let store = StoreFactory(
      initialState: state,
      feature: Notebooks.feature,
      settings: TreeSettings(monitors: [storage.savingWhenAsked(Notebooks.all)])
    )
    store.dispatch(.add("bread"))
    try await storage.close()
    #expect(try await OpenNotebook(in: folder.copy()).store.state.notes == ["milk", "bread"])
  }

  @Test func `a store can be made while another task flushes`() async throws {
    for _ in 0..<20 {
      let storage = try Storage(MemoryFolder(), durability: .full)
      let journal = Journal(of: Notebooks.feature)
      let (state, _) = try await storage.load(into: Notebook(), Notebooks.all, journal)
      let flushing = Task.detached { for _ in 0..<20 { try? await storage.flush() } }
      let store = StoreFactory(
        initialState: state,
        feature: Notebooks.feature,
        settings: TreeSettings(monitors: [storage.savingWhenAsked(Notebooks.all, journal)])
      )
      for number in 0..<20 { try await store.dispatchDurably(.add("\(number)")) }
      await flushing.value
      try await storage.flush()
      #expect(try await storage.load(into: Notebook(), Notebooks.all, journal).state.notes.count == 20)
    }
  }

  @Test func `P1 parts damaged while their store runs are written again from the store's state`() async throws {
    let pair = try await Pair(in: folder)
    try await pair.notebook.dispatchDurably(.add("milk"))
    try await pair.notebook.dispatchDurably(.add("bread"))
    try await pair.shelf.dispatchDurably(put(1))
    let log = try #require(folder.names().first { $0.hasSuffix(".log") })
    var bytes = try #require(folder.open(log)).readAll()
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("bread".utf8)) })
    bytes[place] ^= 1
    folder.remove(log)
    try folder.create(log).append(bytes)
    let (_, report) = try await pair.storage.load(into: Shelf(), Shelf.parts)
    #expect(report.findings.contains { $0.isDamage })
    #expect(try await Pair(in: folder.copy()).notebook.state.notes == ["milk", "bread"])
    try await pair.notebook.dispatchDurably(.add("tea"))
    #expect(try await Pair(in: folder.copy()).notebook.state.notes == ["milk", "bread", "tea"])
  }

  @Test func `P1 a snapshot takes the parts of a store from the store, not from damaged files`() async throws {
    let pair = try await Pair(in: folder, Journal(of: Notebooks.feature, snapshotEvery: 3))
    try await pair.notebook.dispatchDurably(.add("milk"))
    try await pair.shelf.dispatchDurably(.text("precious"))
    try await pair.shelf.dispatchDurably(put(1))
    let log = try #require(folder.names().first { $0.hasSuffix(".log") })
    var bytes = try #require(folder.open(log)).readAll()
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("precious".utf8)) })
    bytes[place] ^= 1
    folder.remove(log)
    try folder.create(log).append(bytes)
    for number in 0..<5 { try await pair.notebook.dispatchDurably(.add("\(number)")) }
    try await pair.storage.flush()
    let again = try await Pair(in: folder.copy())
    #expect(again.shelf.state.text == "precious")
    #expect(again.notebook.state.notes == ["milk", "0", "1", "2", "3", "4"])
  }

  @Test func `P4 actions are written even if a part of another store cannot be encoded`() async throws {
    struct Window: Codable, Equatable, Sendable {
      var width = 1.0
    }
    let pair = try await Pair(in: folder, writesAhead: true)
    let part = Persisted(\Window.self, as: "window")
    let (window, _) = try await pair.storage.load(into: Window(), [part])
    let other = CommitStore(
      initialState: window,
      settings: TreeSettings(monitors: [pair.storage.savingWhenAsked([part])])
    )
    other.commit { $0.width = .nan }
    await #expect(throws: StorageError.self) { try await pair.storage.flush() }
    // The first action may be refused, because everything must be written again.
    try? await pair.notebook.dispatchDurably(.add("milk"))
    for text in ["bread", "tea"] { try await pair.notebook.dispatchDurably(.add(text)) }
    #expect(try await Pair(in: folder.copy()).notebook.state.notes.suffix(2) == ["bread", "tea"])
  }

  @Test func `problems that occur while a store is made are activities of the store`() async throws {
    // The thread sanitizer reports problems that are sent before the store can receive them.
    let storage = Storage.inMemory()
    let failing = Task.detached {
      try await storage.close()
      for _ in 0..<repetitions(2000) { try? await storage.erase() }
    }
    for number in 0..<repetitions(200) {
      let part = Persisted(\Int.self, as: "\(number)")
      guard let (state, _) = try? await storage.load(into: 0, [part]) else { break }
      let store = CommitStore(
        initialState: state,
        settings: TreeSettings(monitors: [storage.savingWhenAsked([part])])
      )
      store.commit { $0 += 1 }
    }
    try await failing.value
    await #expect(throws: StorageError.closed) { try await storage.erase() }
  }

  @Test func `actions written ahead are not refused when other parts load, even with an outdated store`() async throws {
    let storage = try Storage(folder, durability: .full)
    let outdated = try await OpenJournal(storage, writesAhead: true)
    let store = try await OpenJournal(storage, writesAhead: true).store
    _ = try await storage.load(into: Shelf(), Shelf.parts)
    try await store.dispatchDurably(.add("milk"))
    #expect(store.state.notes == ["milk"])
    withExtendedLifetime(outdated) {}
  }

  @Test func `P1 parts stored again after an erasure are kept in the states that other stores write`() async throws {
    let storage = try Storage(folder, durability: .full)
    let journal = Journal(of: Notebooks.feature)
    _ = try await storage.load(into: Notebook(), Notebooks.all, journal)
    try await storage.erase()
    let (fresh, _) = try await storage.load(into: Notebook(), Notebooks.all)
    let plain = StoreFactory(
      initialState: fresh,
      feature: Notebooks.feature,
      settings: TreeSettings(monitors: [storage.savingWhenAsked(Notebooks.all)])
    )
    try await plain.dispatchDurably(.add("milk"))
    let (state, _) = try await storage.load(into: Notebook(), Notebooks.all, journal)
    let notebook = StoreFactory(
      initialState: state,
      feature: Notebooks.feature,
      settings: TreeSettings(monitors: [storage.savingWhenAsked(Notebooks.all, journal)])
    )
    let (books, _) = try await storage.load(into: Shelf(), Shelf.parts)
    let shelf = StoreFactory(
      initialState: books,
      feature: Shelf.feature,
      settings: TreeSettings(monitors: [storage.savingWhenAsked(Shelf.parts)])
    )
    // This text is too long for a log, so a state is written.
    try await shelf.dispatchDurably(.text(String(repeating: "x", count: 300_000)))
    #expect(try await OpenJournal(in: folder.copy()).store.state.notes == ["milk"])
    withExtendedLifetime(notebook) {}
  }
}
