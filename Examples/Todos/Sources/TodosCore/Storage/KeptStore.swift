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
  let folder = URL(filePath: path)
  try repair(folder).forEach(note)
  let storage = try Storage(at: folder)
  let (state, report) = try await storage.load(into: AppState(), [list], journal)
  // Who cannot write even the first file is told before anything is asked.
  if let problem = report.problem { throw problem }
  report.notes.forEach(note)

  let saving = storage.saving([list], journal)
  let writing = Feature<AppState, AppAction>(interceptors: [saving.writeAhead()] + interceptors, reducer: nil)
  let factory = StoreFactory(initialState: state, feature: .combined(writing, app), monitors: [saving] + monitors)
  return (factory, storage)
}

/// Repairs a folder that is damaged, if there is one: the changes that can be read are written anew.
///
/// - A storage that loads damage writes a snapshot: of 1,947 items it takes 84 MB, and half a minute at each start.
/// - Returns: A sentence for each thing that was damaged.
private func repair(_ folder: URL) throws(StorageError) -> [String] {
  guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
  let damages = try StorageContents(of: folder).findings.filter(\.isDamage)
  guard !damages.isEmpty else { return [] }
  let keptFiles = try StorageContents.repair(at: folder)
  return damages.map(\.description) + keptFiles.map { "what could not be read is kept in \($0)" }
}
