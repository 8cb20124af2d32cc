import Arbor
import ArborPersistence
import Foundation

/// Makes the store of the program, whose list is kept in a folder: as a journal of all its changes, in order.
///
/// - A change is on the disk before it is reduced, and so before anybody hears of it. One that cannot be written is
///   dropped, and told as an activity: a `StorageError`.
/// - Parameters:
///   - path: The path of the folder, which is made if there is none.
///   - interceptors: Get the actions that may be reduced.
///   - note: Called with a sentence for each thing that is not as it was written.
func makeKeptStore(
  in path: String,
  interceptors: [Interceptor<AppState, AppAction>] = [],
  monitors: [any StoreMonitor] = [],
  note: (String) -> Void
) async throws -> StoreFactory<AppState, AppAction> {
  var isFolder: ObjCBool = true
  if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue {
    throw NotAFolder(path: path)
  }
  let app = appFeature(readTexts: Importer.readTexts)
  let list = Persisted(\AppState.list, as: "list", coding: LineCoding())
  // Without snapshots, which have each document of the history in them: the changes alone are far less.
  let journal = Journal(of: app, coding: LineCoding(), snapshotEvery: .max)
  let storage = try Storage(at: URL(filePath: path))
  let (state, report) = try await storage.load(into: AppState(), [list], journal)
  report.notes.forEach(note)

  // The list's actions are written at once, and the others never need to be.
  let saving = storage.saving([list], journal, groupedFor: .seconds(86_400))
  let writing: Interceptor<AppState, AppAction> = saving.writeAhead()
    .scoped(to: { $0 }, action: { $0 }, extract: { $0.list == nil ? nil : $0 })
  let factory = StoreFactory(
    initialState: state,
    feature: Feature<AppState, AppAction>.combined(Feature(interceptors: [writing] + interceptors, reducer: nil), app),
    monitors: [saving] + monitors
  )
  // A new folder gets its first file now: who cannot write it is told before anything is asked.
  if case .fresh? = report.parts[list.name] { try await storage.flush() }
  return factory
}
