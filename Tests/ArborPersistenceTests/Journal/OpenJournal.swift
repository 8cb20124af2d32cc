import Arbor
import ArborPersistence

/// A storage with a store whose actions it journals.
struct OpenJournal {
  let storage: Storage
  let store: StoreFactory<Notebook, NotebookAction>
  let report: LoadReport

  init(
    in folder: any FileFolder,
    _ journal: Journal<Notebook, NotebookAction> = Journal(of: Notebooks.feature),
    parts: [Persisted<Notebook>] = Notebooks.all,
    interceptors: [Interceptor<Notebook, NotebookAction>] = []
  ) async throws {
    storage = try Storage(folder, durability: .full)
    let (state, report) = try await storage.load(into: Notebook(), parts, journal)
    self.report = report
    store = StoreFactory(
      initialState: state,
      feature: .combined(Feature(interceptors: interceptors, reducer: nil), Notebooks.feature),
      monitors: [storage.saving(parts, journal)]
    )
  }

  /// Dispatches actions and saves what they have changed.
  func save(_ actions: NotebookAction...) async throws {
    for action in actions { store.dispatch(action) }
    try await storage.flush()
  }
}
