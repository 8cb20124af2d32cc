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
/// - Returns: The store, and the storage, to be flushed before the process ends.
func makeKeptStore(
  in path: String,
  interceptors: [Interceptor<AppState, AppAction>] = [],
  monitors: [any StoreMonitor] = [],
  note: (String) -> Void
) async throws -> (factory: StoreFactory<AppState, AppAction>, storage: Storage) {
  let app = appFeature(readTexts: Importer.readTexts)
  let list = Persisted(\AppState.list, as: "list", coding: LineCoding())
  // Without snapshots, which have each document of the history in them: the changes alone are far less.
  let journal = Journal(of: app, coding: LineCoding(), snapshotEvery: .max)
  let folder = URL(filePath: path)
  let (findings, keptFiles) = try repair(folder)
  let storage = try Storage(at: folder)
  let (state, report) = try await storage.load(into: AppState(), [list], journal)
  notes(on: findings, keptIn: keptFiles + report.keptFiles).forEach(note)

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
  return (factory, storage)
}

/// Repairs a folder that is damaged, if there is one: a storage that loads damage begins with a snapshot.
private func repair(_ folder: URL) throws -> (findings: [FolderFinding], keptFiles: [String]) {
  var isFolder: ObjCBool = true
  guard FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder) else { return ([], []) }
  guard isFolder.boolValue else { throw NotAFolder(path: folder.path) }
  let findings = try StorageContents(of: folder).findings
  return (findings, findings.contains(where: \.isDamage) ? try StorageContents.repair(at: folder) : [])
}
