import Arbor
import ArborRequests

/// The state of the program.
struct AppState: Equatable, Sendable {
  /// The answers of the server, and the changes that it has not confirmed.
  var requests = Requests()

  /// The album whose details are shown.
  var openAlbum: Album.ID?

  /// The reason why the last change failed, until the next change.
  var failure: RequestFailure?
}

/// The actions of the program.
enum AppAction: Equatable, Sendable {
  case requests(RequestAction)
  case open(Album.ID?)

  var requests: RequestAction? { if case .requests(let action) = self { action } else { nil } }
}

/// The whole program: the cache, and a reducer.
func appFeature(_ requests: AlbumRequests) -> Feature<AppState, AppAction> {
  Feature<AppState, AppAction>.combined(
    Requests.feature(requests.album, requests.list, requests.setFavorite)
      .scoped(to: \.requests, action: AppAction.requests, extract: \.requests),
    Feature { state, action in
      switch action {
      case .open(let id): state.openAlbum = id
      case .requests(.changed): state.failure = nil
      // The program shows a failure once, and keeps no failed change.
      case .requests(.refused(let id, _)):
        if case .failed(let failure) = state.requests.changes.first(where: { $0.id == id })?.status {
          state.failure = failure
        }
      case .requests: break
      }
    }
  )
}
