import AlbumServer
import Arbor
import ArborRequests
import ArborUI

/// The store of the program, and its screens in the form for views.
@MainActor
final class AlbumsProgram {
  let store: ObservableStore<AppState, AppAction>
  let list: ObservableStore<ListScreen, Never>
  let detail: ObservableStore<DetailScreen?, Never>

  private let requests: AlbumRequests
  private let factory: StoreFactory<AppState, AppAction>
  private let screens: Screens
  private let server: AlbumServer?

  /// The rows that were shown. A row doesn't keep its album in the cache: the list does.
  private var rows: [Album.ID: ObservableStore<AlbumRow?, Never>] = [:]

  init(_ client: some AlbumClient, server: AlbumServer? = nil, settings: TreeSettings = TreeSettings()) {
    requests = AlbumRequests(client)
    factory = StoreFactory(initialState: AppState(), feature: appFeature(requests), settings: settings)
    screens = Screens(requests: requests, store: factory.rootStore())
    store = factory.observable()
    // The factory is here, so the screens are, too.
    list = screens.list()!.observable()
    detail = screens.detail()!.observable()
    self.server = server
  }

  /// Makes the program with a server of its own.
  static func withServer() -> AlbumsProgram {
    // This fails only if the machine has no free port.
    let server = try! AlbumServer()
    return AlbumsProgram(HTTPAlbumClient(server.url), server: server)
  }

  /// Returns the row of an album of the list.
  func row(_ id: Album.ID) -> ObservableStore<AlbumRow?, Never> {
    if let row = rows[id] { return row }
    let row = screens.row(id)!.observable()
    rows[id] = row
    return row
  }

  func loadMore() {
    store.send(.requests(.fetchPage(requests.list.id(NoValue()), .next)))
  }

  func refresh() {
    store.send(.requests(.refetch(requests.list.id(NoValue()))))
  }

  func setFavorite(_ id: Album.ID, _ isFavorite: Bool) {
    store.send(.requests(requests.setFavorite.action(.init(id: id, isFavorite: isFavorite))))
  }
}

extension AppState {
  /// The screens on top of the list.
  var path: [Album.ID] { openAlbum.map { [$0] } ?? [] }

  var isOffline: Bool { !requests.isOnline }
}
