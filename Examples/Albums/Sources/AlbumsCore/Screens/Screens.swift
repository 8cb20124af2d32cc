import Arbor
import ArborRequests

/// The list, as its screen shows it. The rows are separate, so a change of an album changes only its row.
struct ListScreen: Equatable, Sendable {
  var ids: [Album.ID] = []
  var hasMore = false

  /// `true` if the server may have other albums by now.
  var isStale = false
  var status = ScreenStatus.loading
}

/// An album in a row of the list.
struct AlbumRow: Equatable, Sendable {
  let album: Album

  /// `true` if the server has not confirmed all changes of the album.
  let isPending: Bool
}

/// The open album, as its screen shows it.
struct DetailScreen: Equatable, Sendable {
  /// The album. While it is loading, it is nil, or the album that was open before.
  let album: Album?
  let status: ScreenStatus
}

/// Makes the screens of the program as derived values.
///
/// - A screen asks for its answers as long as it is kept.
struct Screens: Sendable {
  let requests: AlbumRequests
  let store: Store<AppState, AppAction>

  private var cache: Store<Requests, RequestAction> {
    store.scope(to: \.requests, action: AppAction.requests)
  }

  /// Returns the list; nil once the owner of the store is gone.
  ///
  /// - Parameter isRequested: `false` to follow the list without asking for it.
  func list(isRequested: Bool = true) -> Derived<ListScreen>? {
    let pages = isRequested ? cache.request(requests.list, NoValue()) : cache.cached(requests.list, NoValue())
    guard let pages, let isOnline = cache.derived(\.isOnline) else { return nil }
    return Derived.combined(pages, isOnline).derived { list, isOnline in
      ListScreen(
        ids: list.value?.pages.flatMap { $0 } ?? [],
        hasMore: list.value?.hasNext ?? false,
        isStale: list.isStale,
        status: ScreenStatus(list, isOnline: isOnline)
      )
    }
  }

  /// Returns the row of an album, which came with the list; its value is nil if the album isn't loaded.
  func row(_ id: Album.ID) -> Derived<AlbumRow?>? {
    cache.cached(requests.album, id)?.derived { album in
      album.value.map { AlbumRow(album: $0, isPending: album.isPending) }
    }
  }

  /// Returns the open album, which changes with the state.
  func detail() -> Derived<DetailScreen?>? {
    guard let id = store.derived(\.openAlbum),
      let album = cache.request(requests.album, following: id),
      let isOnline = cache.derived(\.isOnline)
    else { return nil }
    return Derived.combined(id, album, isOnline).derived { id, album, isOnline in
      id.map { _ in DetailScreen(album: album.value, status: ScreenStatus(album, isOnline: isOnline)) }
    }
  }
}
