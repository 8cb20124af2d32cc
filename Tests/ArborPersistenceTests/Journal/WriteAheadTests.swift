import Arbor
import ArborPersistence
import TestSupport
import Testing

@Suite("Actions that are written before they are reduced")
struct WriteAheadTests {
  private let folder = SimulatedFolder()
  private let journal = Journal(of: Notebooks.feature, snapshotEvery: 10)

  private func open(
    _ reduce: @escaping @Sendable (NotebookAction) -> Void = { _ in }
  ) async throws -> (storage: Storage, store: StoreFactory<Notebook, NotebookAction>) {
    let storage = try Storage(folder, durability: .full)
    let (state, _) = try await storage.load(into: Notebook(), Notebooks.all, journal)
    let saving = storage.saving(Notebooks.all, journal)
    let store = StoreFactory(
      initialState: state,
      feature: .combined(
        Notebooks.feature,
        Feature(interceptors: [saving.writeAhead()], reducer: nil),
        Feature { _, action in reduce(action) }
      ),
      monitors: [saving]
    )
    return (storage, store)
  }

  private func stored(in folder: SimulatedFolder) async throws -> [String] {
    try await Storage(folder, durability: .full).load(into: Notebook(), Notebooks.all, journal).state.notes
  }

  @Test func `P1 whatever is reduced is there after a crash of the system, in the order of reduction`() async throws {
    let folder = folder
    let (storage, store) = try await open { action in
      guard case .add(let text) = action else { return }
      // In the reducer: it is on the disk by now.
      var random = SplitMix64(seed: UInt64(text)!)
      let crashed = folder.afterCrash(choosing: &random)
      let contents = try! FolderContents(of: crashed)
      #expect(contents.entry >= UInt64(text)!)
    }
    for number in 1...35 { store.dispatch(.add("\(number)")) }
    try await storage.flush()
    #expect(try await stored(in: folder.afterKill()) == (1...35).map { "\($0)" })
    withExtendedLifetime(store) {}
  }

  @Test func `P4 an action that cannot be written is not reduced, and told; later ones are, once they can be`()
    async throws
  {
    let (storage, store) = try await open()
    await store.dispatchAndWait(.add("milk"))
    folder.failure = { _, operation in operation == .sync ? .other(5) : nil }
    await store.dispatchAndWait(.add("bread"))
    #expect(store.state.notes == ["milk"])
    await #expect(throws: StorageError.self) { try await storage.flush() }
    folder.failure = { _, _ in nil }
    try await storage.flush()
    await store.dispatchAndWait(.add("tea"))
    #expect(store.state.notes == ["milk", "tea"])
    #expect(try await stored(in: folder.afterKill()) == ["milk", "tea"])
    var refused: [StorageError] = []
    for await problem in storage.problems {
      if case .refused = problem { refused.append(problem) }
      if !refused.isEmpty { break }
    }
    #expect(refused == [.refused(#"add("bread")"#, because: .file(FileError(.sync, "2.log", .other(5))))])
  }
}
