import Arbor
import ArborPersistence
import ArborRequests
import Foundation

/// The storage of the cache: the answers of the last run, and the changes that still have to be sent.
struct StoredState {
  let storage: Storage
  private let parts = [Persisted(\AppState.requests, as: "requests", removeDuplicates: .by(\.requests.stored))]

  /// Loads the state, and makes a store that saves it.
  ///
  /// - Parameters:
  ///   - isOnline: `false` to begin without a connection: the changes of the last run then wait.
  ///   - note: Called with a sentence for each problem of the stored content.
  func makeFactory(
    _ requests: AlbumRequests,
    isOnline: Bool = true,
    note: (String) -> Void = { _ in }
  ) async throws -> StoreFactory<AppState, AppAction> {
    var (state, report) = try await storage.load(into: AppState(), parts)
    if let problem = report.problem { throw problem }
    report.notes.forEach(note)
    state.requests.isOnline = isOnline
    return StoreFactory(
      initialState: state,
      feature: appFeature(requests),
      settings: TreeSettings(monitors: [storage.saving(parts)])
    )
  }
}
