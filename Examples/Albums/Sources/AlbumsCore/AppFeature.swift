import Arbor
import ArborRequests

/// The state of the program.
struct AppState: Equatable, Sendable {
  /// The answers of the server, and the changes that it has not confirmed.
  var requests = Requests()

  /// The album whose details are shown.
  var openAlbum: Album.ID?

  /// The changes that the server refused.
  var failedChanges: [PendingChange] { requests.changes.filter { $0.failure != nil } }
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
      if case .open(let id) = action { state.openAlbum = id }
    }
  )
}
