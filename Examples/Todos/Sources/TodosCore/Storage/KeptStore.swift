import Arbor
import ArborPersistence
import Foundation

/// Makes the store of the program, whose list is stored in a folder as a journal of all its changes, in order.
///
/// - A change is on the disk before it is reduced, and so before any observer receives it. A change that cannot be
///   written is dropped, and reported by an activity: a `StorageError`.
/// - Parameters:
///   - path: The path of the folder, which is created if necessary.
///   - interceptors: They receive the written actions. They must not drop a change to the list, which would be back at
///     the next start.
///   - note: Called with a sentence for each difference from the written content.
/// - Returns: The store, and the storage, which must be closed before the process ends.
func makeKeptStore(
  in path: String,
  interceptors: [Interceptor<AppState, AppAction>] = [],
  monitors: [any StoreMonitor] = [],
  note: (String) -> Void
) async throws -> (factory: StoreFactory<AppState, AppAction>, storage: Storage) {
  let app = appFeature(readTexts: Importer.readTexts)
  let list = Persisted(\AppState.list, as: "list", coding: LineCoding())
  // Without snapshots, which would contain each document of the history: the changes are much smaller.
  let journal = Journal(of: app, action: AppAction.list, extract: \.list, coding: LineCoding(), snapshotEvery: .max)
  let storage = try Storage(at: URL(filePath: path))
  let (state, report) = try await storage.load(into: AppState(), [list], journal)
  // The user is informed before the first prompt if even the first file cannot be written.
  if let problem = report.problem { throw problem }
  report.notes.forEach(note)

  let saving = storage.saving([list], journal)
  let writing = Feature<AppState, AppAction>(interceptors: [saving.writeAhead()] + interceptors)
  let factory = StoreFactory(
    initialState: state,
    feature: .combined(writing, app),
    settings: TreeSettings(monitors: [saving] + monitors)
  )
  return (factory, storage)
}
