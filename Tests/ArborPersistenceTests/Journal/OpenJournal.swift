import Arbor
import ArborPersistence

/// A storage, and a store whose actions it journals.
struct OpenJournal {
  let storage: Storage
  let store: StoreFactory<Notebook, NotebookAction>
  let report: LoadReport

  init(
    in folder: any FileFolder,
    _ journal: Journal<Notebook, NotebookAction> = Journal(of: Notebooks.feature),
    feature: Feature<Notebook, NotebookAction> = Notebooks.feature,
    parts: [Persisted<Notebook>] = Notebooks.all,
    interceptors: [Interceptor<Notebook, NotebookAction>] = []
  ) async throws {
    let storage = try Storage(folder, durability: .full)
    try await self.init(storage, journal, feature: feature, parts: parts, interceptors: interceptors)
  }

  /// - Parameters:
  ///   - feature: The feature of the store. A program passes the same feature to its journal.
  ///   - writesAhead: `true` if each action is written before it is reduced.
  init(
    _ storage: Storage,
    _ journal: Journal<Notebook, NotebookAction> = Journal(of: Notebooks.feature),
    feature: Feature<Notebook, NotebookAction> = Notebooks.feature,
    parts: [Persisted<Notebook>] = Notebooks.all,
    interceptors: [Interceptor<Notebook, NotebookAction>] = [],
    writesAhead: Bool = false
  ) async throws {
    self.storage = storage
    let (state, report) = try await storage.load(into: Notebook(), parts, journal)
    self.report = report
    let saving = storage.savingWhenAsked(parts, journal)
    let all = interceptors + (writesAhead ? [saving.writeAhead()] : [])
    store = StoreFactory(
      initialState: state,
      feature: .combined(Feature(interceptors: all), feature),
      settings: TreeSettings(monitors: [saving])
    )
  }

  /// Dispatches actions and saves their changes.
  func save(_ actions: NotebookAction...) async throws {
    for action in actions { store.dispatch(action) }
    try await storage.flush()
  }
}
