import Arbor
import ArborPersistence
import Foundation

/// The loans as they are kept between two runs of the program. The catalogue is read anew at each start.
struct KeptLoans {
  let storage: Storage
  let state: AppState
  let monitor: SavingMonitor<AppState>

  /// The report of what is not as it was written.
  let report: LoadReport

  /// Reads the loans from a folder, or makes the folder.
  init(in path: String) async throws(StorageError) {
    let loans = Persisted(\AppState.library.loans, as: "loans")
    storage = try Storage(at: URL(filePath: path))
    (state, report) = try await storage.load(into: AppState(), [loans])
    monitor = storage.saving([loans])
  }
}
