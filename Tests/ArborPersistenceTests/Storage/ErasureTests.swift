import Arbor
import ArborPersistence
import ArborTesting
import TestSupport
import Testing

@Suite("Storages that are erased")
struct ErasureTests {
  private let folder = SimulatedFolder()

  @Test func `Actions that wait to be written ahead do not wait for an erasure that waits for them`() async throws {
    let storage = try Storage(folder, durability: .full)
    let journal = Journal(of: Notebooks.feature)
    let (state, _) = try await storage.load(into: Notebook(), Notebooks.all, journal)
    let saving = storage.saving(Notebooks.all, journal)
    let store = StoreFactory(
      initialState: state,
      feature: .combined(Notebooks.feature, Feature(interceptors: [saving.writeAhead()], reducer: nil)),
      monitors: [saving],
      executor: ManualExecutor()
    )
    store.dispatch(.add("milk"))
    store.dispatch(.add("bread"))
    try await storage.erase()
    #expect(store.state.notes == ["milk", "bread"])
    try await storage.flush()
    #expect(try await OpenJournal(in: folder.afterKill()).store.state.notes == [])
  }

  @Test func `P4 an erasure that fails at any operation is told, and completed by the next save`() async throws {
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
    let isErased = (try? await open.storage.erase()) != nil
    let count = folder.operations - start
    folder.failure = { _, _ in nil }
    try await open.storage.flush()
    let again = try await OpenNotebook(in: folder.afterKill())
    #expect(again.report.outcomes["notes"] == (number == 0 || again.store.state.notes == [] ? "fresh" : "loaded"))
    if isErased { #expect(again.store.state.notes == []) }
    await open.store.dispatchAndWait(.theme("dark"))
    try await open.storage.flush()
    let last = try await OpenNotebook(in: folder.afterKill())
    #expect(last.store.state == Notebook(settings: .init(theme: "dark"), notes: ["milk"]))
    return count
  }
}
