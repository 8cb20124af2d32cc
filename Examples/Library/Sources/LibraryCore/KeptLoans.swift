import Arbor
import ArborPersistence
import Foundation

/// The loans that are stored between two runs of the program. The catalog is read again at each start.
struct KeptLoans {
  let storage: Storage
  let state: AppState
  let monitor: SavingMonitor<AppState>

  /// The report about loaded content that differs from the written content.
  let report: LoadReport

  /// Reads the loans from a folder, or creates the folder.
  init(in path: String) async throws(StorageError) {
    let loans = Persisted(\AppState.library.loans, as: "loans")
    storage = try Storage(at: URL(filePath: path))
    (state, report) = try await storage.load(into: AppState(), [loans])
    monitor = storage.saving([loans])
  }
}
