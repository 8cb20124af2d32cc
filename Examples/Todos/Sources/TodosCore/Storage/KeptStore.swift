import Arbor
import ArborPersistence
import Foundation

/// Makes the store of the program, whose list is kept in a folder: as a journal of all its changes, in order.
///
/// - A change is on the disk before it is reduced, and so before anybody hears of it. One that cannot be written is
///   dropped, and told as an activity: a `StorageError`.
/// - Parameters:
///   - path: The path of the folder, which is made if there is none.
///   - interceptors: Get the actions that are written. They must drop no change of the list: it would be there at the
///     next start.
///   - note: Called with a sentence for each thing that is not as it was written.
/// - Returns: The store, and the storage, to be closed before the process ends.
func makeKeptStore(
  in path: String,
  interceptors: [Interceptor<AppState, AppAction>] = [],
  monitors: [any StoreMonitor] = [],
  note: (String) -> Void
) async throws -> (factory: StoreFactory<AppState, AppAction>, storage: Storage) {
  let app = appFeature(readTexts: Importer.readTexts)
  let list = Persisted(\AppState.list, as: "list", coding: LineCoding())
  // Without snapshots, which have each document of the history in them: the changes alone are far less.
  let journal = Journal(of: app, action: AppAction.list, extract: \.list, coding: LineCoding(), snapshotEvery: .max)
  let storage = try Storage(at: URL(filePath: path))
  let (state, report) = try await storage.load(into: AppState(), [list], journal)
  // The user is told before the first prompt if not even the first file can be written.
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
