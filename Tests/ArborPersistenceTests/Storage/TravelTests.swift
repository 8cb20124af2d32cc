import Arbor
import ArborDevTools
import ArborPersistence
import Testing

@Suite("Traveling and saving")
struct TravelTests {
  private let folder = MemoryFolder()
  private let recorder = Recorder<Notebook, NotebookAction>()

  private typealias Opened = (storage: Storage, store: StoreFactory<Notebook, NotebookAction>)

  private func open() async throws -> Opened {
    let storage = try Storage(folder, durability: .full)
    let (state, _) = try await storage.load(into: Notebook(), Notebooks.all)
    return (storage, store(state, storage.savingWhenAsked(Notebooks.all)))
  }

  private func openJournal() async throws -> Opened {
    let storage = try Storage(folder, durability: .full)
    let journal = Journal(of: Notebooks.feature)
    let (state, _) = try await storage.load(into: Notebook(), Notebooks.all, journal)
    return (storage, store(state, storage.savingWhenAsked(Notebooks.all, journal)))
  }

  private func store(_ state: Notebook, _ saving: SavingMonitor<Notebook>) -> StoreFactory<Notebook, NotebookAction> {
    StoreFactory(
      initialState: state,
      feature: Notebooks.feature,
      settings: TreeSettings(monitors: [recorder, saving])
    )
  }

  private func stored() async throws -> [String] {
    let storage = try Storage(folder.copy(), durability: .full)
    return try await storage.load(into: Notebook(), Notebooks.all, Journal(of: Notebooks.feature)).state.notes
  }

  @Test(arguments: [false, true])
  func `T6 a moment that is only shown is not saved, and the present is`(isJournaled: Bool) async throws {
    let (storage, store) = try await isJournaled ? openJournal() : open()
    await store.dispatchAndWait(.add("milk"))
    await store.dispatchAndWait(.add("bread"))
    try recorder.travel(to: 0)
    #expect(store.state.notes == [])
    try await storage.flush()
    #expect(try await stored() == ["milk", "bread"])
    recorder.resume()
    await store.dispatchAndWait(.add("tea"))
    try await storage.flush()
    #expect(try await stored() == ["milk", "bread", "tea"])
  }

  @Test(arguments: [false, true])
  func `T6 continuing from a moment is saved, and so are the steps that follow`(isJournaled: Bool) async throws {
    let (storage, store) = try await isJournaled ? openJournal() : open()
    await store.dispatchAndWait(.add("milk"))
    await store.dispatchAndWait(.add("bread"))
    try await storage.flush()
    try recorder.travel(to: 1)
    recorder.continueFromHere()
    try await storage.flush()
    #expect(try await stored() == ["milk"])
    await store.dispatchAndWait(.add("tea"))
    try await storage.flush()
    #expect(try await stored() == ["milk", "tea"])
  }
}
