import Arbor
import ArborPersistence
import SimulatedFiles
import Testing

@Suite("Parts that the actions of a journal have changed")
struct JournaledPartsTests {
  private struct Refusal: Error {}

  private let folder = MemoryFolder()

  /// Writes a snapshot with bread, and then actions that change the notes and the settings.
  private func write() async throws {
    let first = try await OpenJournal(in: folder, Journal(of: Notebooks.feature, snapshotEvery: 1))
    try await first.save(.add("bread"))
    try await first.storage.close()
    let again = try await OpenJournal(in: folder)
    try await again.save(.add("milk"), .theme("dark"))
    again.storage.endAsIfKilled()
  }

  @Test func `P2 if a part is no longer declared, the actions are kept aside, once`() async throws {
    try await write()
    let bytes = folder.names().filter { $0.hasSuffix(".log") }.compactMap(folder.open).map { try! $0.readAll() }
    let open = try await OpenJournal(in: folder, parts: [Notebooks.settings])
    #expect(open.report.journal?.incompleteParts == ["notes"])
    #expect(open.report.notes.contains("notes doesn't include the changes that the journal's actions made to it"))
    #expect(open.store.state.settings.theme == "dark")
    let kept = try open.report.keptFiles.map { try #require(folder.open($0)).readAll() }
    #expect(kept == bytes)
    try await open.save(.theme("blue"))
    try await open.storage.close()
    let again = try await OpenJournal(in: folder, parts: [Notebooks.settings])
    #expect(again.report.journal?.incompleteParts == [])
    #expect(again.report.keptFiles == [])
    #expect(again.store.state.settings.theme == "blue")
    #expect(try await OpenJournal(in: folder.copy()).store.state.notes == ["bread"])
  }

  @Test func `P2 if a part cannot be read, the actions are kept aside with it`() async throws {
    try await write()
    let bad = Persisted(
      \Notebook.notes, as: "notes", version: 2,
      migrations: [.from(1) { (_: [String]) -> [String] in throw Refusal() }]
    )
    let open = try await OpenJournal(in: folder, parts: [Notebooks.settings, bad])
    #expect(open.report.journal?.incompleteParts == ["notes"])
    #expect(open.report.keptFiles.contains(KeptAside.name(of: "notes")))
    #expect(open.report.keptFiles.contains { $0.contains(".log.") })
    // The actions are reduced on this part of the given state.
    #expect(open.store.state.notes == ["milk"])
  }

  @Test func `P2 a newer part that the actions have changed is refused, because it would lack their changes`()
    async throws
  {
    let newer = Persisted(
      \Notebook.notes, as: "notes", version: 2, migrations: [.from(1) { (old: [String]) -> [String] in old }])
    let first = try await OpenJournal(in: folder, parts: [Notebooks.settings, newer])
    try await first.save(.add("milk"))
    first.storage.endAsIfKilled()
    let (storage, journal) = (try Storage(folder, durability: .full), Journal(of: Notebooks.feature))
    await #expect(throws: StorageError.newerPart("notes", stored: 2, known: 1)) {
      try await storage.load(into: Notebook(), Notebooks.all, journal, options: .keepNewer)
    }
    #expect(try await OpenJournal(in: folder.copy(), parts: [Notebooks.settings, newer]).store.state.notes == ["milk"])
  }

  @Test func `a newer part that no action has changed can be kept next to the actions of other parts`() async throws {
    let newer = Persisted(\Notebook.notes, as: "notes", version: 2)
    let first = try await OpenNotebook(in: folder, [newer])
    try await first.save(.add("milk"))
    try await first.storage.close()
    let journal = Journal(of: Notebooks.feature)
    for theme in ["dark", "blue"] {
      let storage = try Storage(folder, durability: .full)
      let (state, report) = try await storage.load(into: Notebook(), Notebooks.all, journal, options: .keepNewer)
      #expect(report.outcomes["notes"] == "newer: 2")
      let monitors = [storage.savingWhenAsked(Notebooks.all, journal)]
      let store = StoreFactory(
        initialState: state,
        feature: Notebooks.feature,
        settings: TreeSettings(monitors: monitors)
      )
      try await store.dispatchDurably(.theme(theme))
      try await storage.close()
    }
    let last = try await OpenJournal(in: folder, parts: [Notebooks.settings, newer])
    #expect(last.store.state.notes == ["milk"])
    #expect(last.store.state.settings.theme == "blue")
  }

  @Test(arguments: [false, true])
  func `P1 if only some parts of a journal are saved without it, the others keep the changes of its actions`(
    isMade: Bool
  ) async throws {
    let folder = SimulatedFolder()
    try await OpenJournal(in: folder).save(.add("milk"), .theme("dark"))
    let left = folder.afterKill()
    let storage = try Storage(left, durability: .full)
    let (state, _) = try await storage.load(into: Notebook(), Notebooks.all, Journal(of: Notebooks.feature))
    let saving = storage.savingWhenAsked([Notebooks.notes])
    let store =
      isMade
      ? StoreFactory(
        initialState: state,
        feature: Notebooks.feature,
        settings: TreeSettings(monitors: [saving])
      ) : nil
    let (books, _) = try await storage.load(into: Shelf(), Shelf.parts)
    let shelf = StoreFactory(
      initialState: books,
      feature: Shelf.feature,
      settings: TreeSettings(monitors: [storage.savingWhenAsked(Shelf.parts)])
    )
    try await shelf.dispatchDurably(.put(Shelf.Book(id: 1, title: "1")))
    try await store?.dispatchDurably(.add("bread"))
    let again = try await OpenNotebook(in: left.afterKill()).store.state
    #expect(again == Notebook(settings: .init(theme: "dark"), notes: isMade ? ["milk", "bread"] : ["milk"]))
  }

  @Test func `P2 a part that is stored without the actions is not changed by their replay`() async throws {
    let folder = SimulatedFolder()
    try await OpenNotebook(in: folder).save(.theme("dark"), .add("milk"))
    let other = folder.afterKill()
    // The settings aren't stored again, because this program doesn't declare them.
    try await OpenJournal(in: other, parts: [Notebooks.notes]).save(.size(20), .add("bread"))
    let folderAgain = other.afterKill()
    let again = try await OpenJournal(in: folderAgain)
    #expect(again.store.state == Notebook(settings: .init(theme: "dark"), notes: ["milk", "bread"]))
    // From here on, the actions change the settings.
    try await again.save(.theme("light"))
    #expect(try await OpenJournal(in: folderAgain.afterKill()).store.state == again.store.state)
  }

  @Test func `a part that is declared later has the changes of the actions`() async throws {
    let folder = SimulatedFolder()
    try await OpenJournal(in: folder, parts: [Notebooks.notes]).save(.size(20), .add("milk"))
    let later = try await OpenJournal(in: folder.afterKill())
    #expect(later.store.state == Notebook(settings: .init(size: 20), notes: ["milk"]))
  }
}
