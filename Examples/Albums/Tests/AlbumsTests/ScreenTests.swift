import Arbor
import ArborRequests
import ArborRequestsTesting
import ArborTesting
import Foundation
import Testing

@testable import AlbumsCore

/// The screens of the program, with the answers and the steps in the hands of the test.
struct ScreenTests {
  private let requests: AlbumRequests
  private let store: TestStore<AppState, AppAction>
  private let screens: Screens
  private let list: Derived<ListScreen>

  private static let failure = ScreenStatus.failed("the server answered with the status 500")

  init() throws {
    // The server of the test answers, so the client is never called.
    requests = AlbumRequests(HTTPAlbumClient(URL(filePath: "/nowhere")), backoff: .none)
    store = TestStore(initialState: AppState(), feature: appFeature(requests), exhaustivity: .off)
    store.server.hangs(requests.list, NoValue(), at: 0)
    screens = Screens(requests: requests, store: store.store())
    list = try #require(screens.list())
  }

  private func send(_ action: RequestAction) async {
    await store.send(.requests(action))
    await store.skipReceivedActions()
  }

  /// Answers the call for a page that waits, or the next one.
  private func answer(_ page: AlbumPage, at cursor: Int = 0) async {
    store.server.answers(requests.list, NoValue(), at: cursor, with: page)
    await store.skipReceivedActions()
  }

  private func favorite(_ id: Album.ID) -> AlbumRequests.Favorite { .init(id: id, isFavorite: true) }

  private func row(_ id: Album.ID) -> AlbumRow? { screens.row(id)?.value }

  @Test func `the list is loaded page by page`() async {
    #expect(list.value == ListScreen(status: .loading))
    await answer(AlbumPage(1..<3, next: 3))
    #expect(list.value == ListScreen(ids: [1, 2], hasMore: true, status: .fresh))
    store.server.hangs(requests.list, NoValue(), at: 3)
    await send(.fetchPage(requests.list.id(NoValue()), .next))
    #expect(list.value == ListScreen(ids: [1, 2], hasMore: true, status: .loadingPage))
    await answer(AlbumPage(3..<5), at: 3)
    #expect(list.value == ListScreen(ids: [1, 2, 3, 4], hasMore: false, status: .fresh))
    #expect(row(4) == AlbumRow(album: Album(4), isPending: false))
    await store.finish()
  }

  @Test func `a failed refresh keeps the older albums, and gives the reason`() async {
    store.server.fails(requests.list, NoValue(), at: 0, with: AlbumClientError.status(500))
    await store.skipReceivedActions()
    #expect(list.value == ListScreen(status: Self.failure))
    store.server.answers(requests.list, NoValue(), at: 0, with: AlbumPage(1..<3))
    await send(.refetch(requests.list.id(NoValue())))
    #expect(list.value == ListScreen(ids: [1, 2], status: .fresh))
    store.server.fails(requests.list, NoValue(), at: 0, with: AlbumClientError.status(500))
    await send(.refetch(requests.list.id(NoValue())))
    #expect(list.value == ListScreen(ids: [1, 2], status: Self.failure))
    await store.finish()
  }

  @Test func `a favorite is seen at once, and stays when the server confirms it`() async {
    await answer(AlbumPage(1..<3))
    store.server.hangs(requests.setFavorite, favorite(2))
    await send(requests.setFavorite.action(favorite(2)))
    #expect(row(2) == AlbumRow(album: Album(2, isFavorite: true), isPending: true))
    store.server.answers(requests.setFavorite, favorite(2), with: Album(2, isFavorite: true))
    await store.skipReceivedActions()
    #expect(row(2) == AlbumRow(album: Album(2, isFavorite: true), isPending: false))
    #expect(row(1) == AlbumRow(album: Album(1), isPending: false))
    await store.finish()
  }

  @Test func `a refused favorite is taken back, and can be retried`() async throws {
    await answer(AlbumPage(1..<3))
    store.server.fails(requests.setFavorite, favorite(2), with: AlbumClientError.status(500))
    await send(requests.setFavorite.action(favorite(2)))
    #expect(row(2) == AlbumRow(album: Album(2), isPending: false))
    let failed = try #require(store.state.failedChanges.first)
    #expect(failed.failure?.reason == "the server answered with the status 500")
    store.server.answers(requests.setFavorite, favorite(2), with: Album(2, isFavorite: true))
    await send(.retryChange(failed.id))
    #expect(row(2) == AlbumRow(album: Album(2, isFavorite: true), isPending: false))
    #expect(store.state.failedChanges.isEmpty)
    await store.finish()
  }

  @Test func `the details follow the open album, which is one record with its row`() async throws {
    await answer(AlbumPage(1..<3))
    let detail = try #require(screens.detail())
    #expect(detail.value == nil)
    // It came with the list, so the server isn't called.
    await store.send(.open(1))
    await store.skipReceivedActions()
    #expect(detail.value == DetailScreen(album: Album(1), status: .fresh))
    // The last album is shown until the next one is here.
    store.server.hangs(requests.album, 7)
    await store.send(.open(7))
    await store.skipReceivedActions()
    #expect(detail.value == DetailScreen(album: Album(1), status: .loading))
    store.server.answers(requests.album, 7, with: Album(7))
    await store.skipReceivedActions()
    #expect(detail.value == DetailScreen(album: Album(7), status: .fresh))
    store.server.hangs(requests.setFavorite, favorite(7))
    await send(requests.setFavorite.action(favorite(7)))
    #expect(detail.value?.album == row(7)?.album)
    #expect(row(7)?.isPending == true)
    await store.send(.open(nil))
    await store.skipReceivedActions()
    #expect(detail.value == nil)
    await store.finish()
  }

  @Test func `without a connection, the albums stay, and a favorite waits for it`() async {
    await answer(AlbumPage(1..<3))
    await send(.becameOffline)
    #expect(list.value == ListScreen(ids: [1, 2], status: .offline))
    await send(requests.setFavorite.action(favorite(1)))
    #expect(row(1) == AlbumRow(album: Album(1, isFavorite: true), isPending: true))
    #expect(!store.server.calls.contains("\(requests.setFavorite.id(favorite(1)))"))
    store.server.answers(requests.setFavorite, favorite(1), with: Album(1, isFavorite: true))
    await send(.becameOnline)
    #expect(row(1) == AlbumRow(album: Album(1, isFavorite: true), isPending: false))
    await store.finish()
  }
}

extension Album {
  fileprivate init(_ id: Int, isFavorite: Bool = false) {
    self.init(id: id, title: "Album \(id)", artist: "Artist \(id)", isFavorite: isFavorite)
  }
}

extension AlbumPage {
  fileprivate init(_ ids: Range<Int>, next: Int? = nil) {
    self.init(items: ids.map { Album($0) }, next: next, previous: nil)
  }
}
