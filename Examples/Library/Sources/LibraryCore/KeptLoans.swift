import Arbor
import ArborPersistence
import Foundation

/// The loans as they are kept between two runs of the program. The catalogue is read anew at each start.
struct KeptLoans {
  let storage: Storage
  let state: AppState
  let monitor: SavingMonitor<AppState>

  /// Reads the loans from a folder, or makes the folder.
  ///
  /// - Parameter note: Called with a sentence for each thing that is not as it was written.
  init(in path: String, note: (String) -> Void) async throws(StorageError) {
    let loans = Persisted(\AppState.library.loans, as: "loans")
    storage = try Storage(at: URL(filePath: path))
    let report: LoadReport
    (state, report) = try await storage.load(into: AppState(), [loans])
    monitor = storage.saving([loans])
    if report.findings.contains(where: { !$0.isDamage }) { note("\(path): dropped an unfinished save") }
    if report.findings.contains(where: \.isDamage) || !report.keptFiles.isEmpty {
      let kept = report.keptFiles.isEmpty ? "" : "; it is kept in \(report.keptFiles.joined(separator: ", "))"
      note("\(path): some of it is damaged or missing, and left out\(kept)")
    }
  }
}
