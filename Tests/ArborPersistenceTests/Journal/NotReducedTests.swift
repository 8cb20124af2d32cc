import Arbor
import ArborPersistence
import SimulatedFiles
import TestSupport
import Testing

@Suite("Durable actions that are not reduced")
struct NotReducedTests {
  /// A way to store the state.
  enum Way: CaseIterable {
    case parts, journal, ahead
  }

  private let folder = SimulatedFolder()
  private let held = SharedList<HeldAction<NotebookAction>>()

  private func open(_ way: Way) async throws -> (storage: Storage, store: StoreFactory<Notebook, NotebookAction>) {
    let deciding = Interceptor<Notebook, NotebookAction> { [held] action, _ in
      switch action {
      case .add("dropped"): .drop
      case .add("held"): .hold { token in held.append(token) }
      default: .pass
      }
    }
    let storage = try Storage(folder, durability: .full)
    guard way == .parts else {
      let opened = try await OpenJournal(storage, interceptors: [deciding], writesAhead: way == .ahead)
      return (storage, opened.store)
    }
    let (state, _) = try await storage.load(into: Notebook(), Notebooks.all)
    let feature = Feature<Notebook, NotebookAction>.combined(
      Feature(interceptors: [deciding]), Notebooks.feature)
    let monitors = [storage.savingWhenAsked(Notebooks.all)]
    return (storage, StoreFactory(initialState: state, feature: feature, settings: TreeSettings(monitors: monitors)))
  }

  private func stored(_ way: Way) async throws -> [String] {
    let storage = try Storage(folder.afterKill(), durability: .full)
    guard way == .parts else { return try await OpenJournal(storage).store.state.notes }
    return try await storage.load(into: Notebook(), Notebooks.all).state.notes
  }

  @Test(arguments: Way.allCases)
  func `P1 P4 an action that an interceptor drops throws, and actions accepted before it are stored`(way: Way)
    async throws
  {
    let (storage, store) = try await open(way)
    store.dispatch(.add("milk"))
    await #expect(throws: StorageError.notReduced) { try await store.dispatchDurably(.add("dropped")) }
    #expect(store.state.notes == ["milk"])
    #expect(try await stored(way) == ["milk"])
    let child = store.childStore(initialState: 0) { (_: inout Int, _: NotebookAction) in }
    await #expect(throws: StorageError.notReduced) { try await child.store().dispatchDurably(.add("dropped")) }
    let scope = store.scope(to: \.notes, action: NotebookAction.add)
    await #expect(throws: StorageError.notReduced) { try await scope.dispatchDurably("dropped") }
    try await scope.dispatchDurably("bread")
    #expect(try await stored(way) == ["milk", "bread"])
    withExtendedLifetime(storage) {}
  }

  @Test(arguments: Way.allCases)
  func `P1 P4 an action that an interceptor holds throws, and is stored once it is passed on`(way: Way) async throws {
    let (storage, store) = try await open(way)
    await #expect(throws: StorageError.notReduced) { try await store.dispatchDurably(.add("held")) }
    #expect(try await stored(way) == [])
    try #require(held.take().first).pass()
    try await storage.flush()
    #expect(store.state.notes == ["held"])
    #expect(try await stored(way) == ["held"])
  }

  @Test func `P4 a dropped action does not throw the refusal of the action before it`() async throws {
    let (storage, store) = try await open(.ahead)
    await store.dispatchAndWait(.size(.nan))
    await #expect(throws: StorageError.notReduced) { try await store.dispatchDurably(.add("dropped")) }
    withExtendedLifetime(storage) {}
  }

  @Test func `P1 P4 a commit of a part that does not exist throws`() async throws {
    let storage = try Storage(folder, durability: .full)
    let (state, _) = try await storage.load(into: Notebook(), Notebooks.all)
    let store = CommitStore(
      initialState: state,
      settings: TreeSettings(monitors: [storage.savingWhenAsked(Notebooks.all)])
    )
    let selection = store.scope(atOptional: \.selection)
    await #expect(throws: StorageError.notReduced) { try await selection.dispatchDurably(Mutation { $0 += 1 }) }
    try await store.dispatchDurably(Mutation { $0.notes.append("milk") })
    #expect(try await stored(.parts) == ["milk"])
  }
}
