import Arbor
import ArborPersistence
import Foundation
import SimulatedFiles
import TestSupport
import Testing

@Suite("Storages whose program has changed, or whose state cannot be stored")
struct ExchangeTests {
  private let folder = MemoryFolder()

  @Test func `a table whose coding is replaced is written again, and so are its changes`() async throws {
    func open(
      _ coding: any StorageCoding
    ) async throws -> (storage: Storage, store: StoreFactory<Shelf, ShelfAction>, report: LoadReport) {
      let storage = try Storage(folder, durability: .full)
      let books = Persisted(\Shelf.books, as: "books", coding: coding)
      let (state, report) = try await storage.load(into: Shelf(), [books])
      return (
        storage,
        StoreFactory(
          initialState: state,
          feature: Shelf.feature,
          settings: TreeSettings(monitors: [storage.savingWhenAsked([books])])
        ), report
      )
    }
    for (number, coding) in ([.json, .binary, .json, .json] as [any StorageCoding]).enumerated() {
      let (storage, store, report) = try await open(coding)
      #expect(report.notes == [])
      #expect(store.state.books.count == number * 10)
      for id in 0..<10 { try await store.dispatchDurably(.put(Shelf.Book(id: number * 10 + id, title: "\(id)"))) }
      try await storage.close()
    }
    #expect(try await open(.json).store.state.books.count == 40)
  }

  @Test func `P1 P4 a journaled part that cannot be stored is an error, and nothing counts as stored`() async throws {
    let open = try await OpenJournal(in: folder)
    try await open.save(.add("milk"))
    // The action cannot be written, so the parts must be. One of them cannot be written either.
    open.store.dispatch(.size(.infinity))
    open.store.dispatch(.theme("dark"))
    await #expect(throws: StorageError.self) { try await open.storage.flush() }
    await #expect(throws: StorageError.self) { try await open.store.dispatchDurably(.add("bread")) }
    #expect(try await OpenJournal(in: folder.copy()).store.state == Notebook(notes: ["milk"]))
    try await open.save(.size(3))
    let again = try await OpenJournal(in: folder.copy())
    #expect(again.store.state == Notebook(settings: .init(theme: "dark", size: 3), notes: ["milk", "bread"]))
  }

  @Test func `P1 an action that is refused is not durable`() async throws {
    let folder = SimulatedFolder()
    let storage = try Storage(folder, durability: .full)
    let journal = Journal(of: Notebooks.feature)
    let (state, _) = try await storage.load(into: Notebook(), Notebooks.all, journal)
    let saving = storage.savingWhenAsked(Notebooks.all, journal)
    let ahead = Feature<Notebook, NotebookAction>(interceptors: [saving.writeAhead()])
    let store = StoreFactory(
      initialState: state,
      feature: .combined(Notebooks.feature, ahead),
      settings: TreeSettings(monitors: [saving])
    )
    try await store.dispatchDurably(.add("milk"))
    let start = folder.operations
    folder.failure = { number, operation in operation == .sync && number < start + 4 ? .other(5) : nil }
    await #expect(throws: StorageError.self) { try await store.dispatchDurably(.add("bread")) }
    #expect(store.state.notes == ["milk"])
    folder.failure = { _, _ in nil }
    try await storage.flush()
    try await store.dispatchDurably(.add("tea"))
    #expect(store.state.notes == ["milk", "tea"])
  }

  @Test func `snapshots are written at the given interval of steps, across any number of starts`() async throws {
    let journal = Journal(of: Notebooks.feature, snapshotEvery: 10)
    for _ in 0..<6 {
      let open = try await OpenJournal(in: folder, journal)
      #expect(try #require(open.report.journal).replayed < 20)
      for number in 0..<9 { try await open.save(.add("\(number)")) }
      try await open.storage.close()
    }
    #expect(try await OpenJournal(in: folder, journal).store.state.notes.count == 54)
  }

  @Test(arguments: [false, true])
  func `nothing is stored after an erasure until a part changes or an action is journaled, and then all parts are`(
    isJournaled: Bool
  ) async throws {
    let storage = try Storage(folder, durability: .full)
    let journal = Journal(of: Notebooks.feature)
    let saving: SavingMonitor<Notebook>
    if isJournaled {
      _ = try await storage.load(into: Notebook(), Notebooks.all, journal)
      saving = storage.savingWhenAsked(Notebooks.all, journal)
    } else {
      _ = try await storage.load(into: Notebook(), Notebooks.all)
      saving = storage.savingWhenAsked(Notebooks.all)
    }
    func stored() async throws -> Notebook {
      try await Storage(folder.copy(), durability: .full).load(into: Notebook(), Notebooks.all, journal).state
    }
    var store: StoreFactory? = StoreFactory(
      initialState: Notebook(),
      feature: Notebooks.feature,
      settings: TreeSettings(monitors: [saving])
    )
    store?.dispatch(.add("milk"))
    store?.dispatch(.theme("dark"))
    try await storage.flush()
    try await storage.erase()
    #expect(folder.names().filter { $0.hasSuffix(".log") } == [])
    try await storage.flush()
    #expect(try await stored() == Notebook())
    store?.dispatch(.select(3))
    try await storage.flush()
    let both = Notebook(settings: .init(theme: "dark"), notes: ["milk"])
    #expect(try await stored() == (isJournaled ? both : Notebook()))
    store?.dispatch(.add("bread"))
    try await storage.flush()
    #expect(try await stored() == Notebook(settings: .init(theme: "dark"), notes: ["milk", "bread"]))
    try await storage.erase()
    store = nil
    try await storage.close()
    #expect(try await stored() == Notebook())
  }

  @Test func `damage that was reported once is not reported again`() async throws {
    let open = try await OpenNotebook(in: folder)
    for number in 0..<3 { try await open.save(.add("\(number)")) }
    try await open.storage.close()
    folder.remove(try #require(folder.names().first { $0.hasSuffix(".log") }))
    #expect(try await OpenNotebook(in: folder.copy()).report.findings == [.missingEntries(after: 0)])
    let copy = folder.copy()
    let second = try await OpenNotebook(in: copy)
    try await second.save(.add("milk"))
    try await second.storage.close()
    #expect(try await OpenNotebook(in: copy).report.findings == [])
  }

  @Test func `a transformation of bytes is part of the coding`() async throws {
    let sealed = BinaryCoding().transformed(
      as: "sealed", by: { Data($0.map { $0 ^ 0x5A }) }, undoing: { Data($0.map { $0 ^ 0x5A }) })
    let notes = Persisted(\Notebook.notes, as: "notes", coding: sealed)
    try await OpenNotebook(in: folder, [notes]).save(.add("a secret"))
    #expect(folder.names().allSatisfy { !(folder.text(of: $0)?.contains("secret") ?? false) })
    #expect(try await OpenNotebook(in: folder.copy(), [notes]).store.state.notes == ["a secret"])
    let plain = Persisted(\Notebook.notes, as: "notes", coding: .binary)
    let unread = try await OpenNotebook(in: folder.copy(), [plain])
    #expect(unread.report.outcomes["notes"]?.contains("it was written by the coding") == true)
  }
}
