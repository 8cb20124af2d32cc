import Arbor
import ArborRequests
import ArborTesting
import Testing

@testable import AlbumsCore

/// The screens of the program, with a client and steps in the hands of the test.
struct ScreenTests {
  private let client = FakeClient()
  private let executor = ManualExecutor()
  private let requests: AlbumRequests
  private let factory: StoreFactory<AppState, AppAction>
  private let screens: Screens
  private let list: Derived<ListScreen>

  init() throws {
    requests = AlbumRequests(client, backoff: .none)
    factory = StoreFactory(
      initialState: AppState(),
      feature: appFeature(requests),
      settings: TreeSettings(clock: TestClock(), executor: executor)
    )
    screens = Screens(requests: requests, store: factory.rootStore())
    list = try #require(screens.list())
    executor.run()
  }

  private func send(_ action: AppAction) {
    factory.dispatch(action)
    executor.run()
  }

  private func answer(_ call: String, _ answer: any Sendable) {
    client.answer(call, answer)
    executor.run()
  }

  /// Fails a call as often as it is repeated.
  private func fail(_ call: String) {
    for _ in 1...3 {
      #expect(client.open.contains(call))
      client.fail(call)
      executor.run()
    }
  }

  private func setFavorite(_ id: Album.ID) {
    send(.requests(requests.setFavorite.action(.init(id: id, isFavorite: true))))
  }

  private func row(_ id: Album.ID) -> AlbumRow? { screens.row(id)?.value }

  @Test func `the list is loaded page by page`() {
    #expect(list.value == ListScreen(status: .loading))
    answer("albums from 0", AlbumPage(1..<3, next: 3))
    #expect(list.value == ListScreen(ids: [1, 2], hasMore: true, status: .fresh))
    send(.requests(.fetchPage(requests.list.id(NoArgument()), .next)))
    #expect(list.value == ListScreen(ids: [1, 2], hasMore: true, status: .loadingPage))
    answer("albums from 3", AlbumPage(3..<5))
    #expect(list.value == ListScreen(ids: [1, 2, 3, 4], hasMore: false, status: .fresh))
    #expect(row(4) == AlbumRow(album: Album(4), isPending: false))
  }

  @Test func `a failed refresh keeps the older albums, and gives the reason`() {
    fail("albums from 0")
    #expect(list.value == ListScreen(status: .failed("the server answered with the status 500")))
    send(.requests(.refetch(requests.list.id(NoArgument()))))
    #expect(list.value.status == .loading)
    answer("albums from 0", AlbumPage(1..<3))
    send(.requests(.refetch(requests.list.id(NoArgument()))))
    #expect(list.value == ListScreen(ids: [1, 2], status: .refreshing))
    fail("albums from 0")
    #expect(list.value == ListScreen(ids: [1, 2], status: .failed("the server answered with the status 500")))
  }

  @Test func `a favorite is seen at once, and stays when the server confirms it`() {
    answer("albums from 0", AlbumPage(1..<3))
    setFavorite(2)
    #expect(row(2) == AlbumRow(album: Album(2, isFavorite: true), isPending: true))
    answer("favorite 2", Album(2, isFavorite: true))
    #expect(row(2) == AlbumRow(album: Album(2, isFavorite: true), isPending: false))
    #expect(row(1)?.album.isFavorite == false)
  }

  @Test func `a refused favorite is taken back, and the reason is kept until the next one`() {
    answer("albums from 0", AlbumPage(1..<3))
    setFavorite(2)
    fail("favorite 2")
    #expect(row(2) == AlbumRow(album: Album(2), isPending: false))
    #expect(factory.state.failure?.reason == "the server answered with the status 500")
    #expect(Set(client.keys).count == 1)
    setFavorite(1)
    #expect(factory.state.failure == nil)
  }

  @Test func `the details follow the open album, and show it in the list and on its own as one record`() throws {
    answer("albums from 0", AlbumPage(1..<3))
    let detail = try #require(screens.detail())
    #expect(detail.value == nil)
    send(.open(1))
    #expect(detail.value == DetailScreen(album: Album(1), status: .fresh))
    #expect(client.open.isEmpty)
    setFavorite(1)
    #expect(detail.value?.album?.isFavorite == true)
    // The last album is shown until the next one is here.
    send(.open(7))
    #expect(detail.value == DetailScreen(album: Album(1, isFavorite: true), status: .loading))
    answer("album 7", Album(7))
    #expect(detail.value == DetailScreen(album: Album(7), status: .fresh))
    send(.open(nil))
    #expect(detail.value == nil)
  }

  @Test func `without a connection, the albums stay, and a favorite waits for it`() {
    answer("albums from 0", AlbumPage(1..<3))
    send(.requests(.becameOffline))
    #expect(list.value == ListScreen(ids: [1, 2], status: .offline))
    setFavorite(1)
    #expect(row(1) == AlbumRow(album: Album(1, isFavorite: true), isPending: true))
    #expect(client.open.isEmpty)
    send(.requests(.becameOnline))
    #expect(client.open == ["favorite 1"])
    answer("favorite 1", Album(1, isFavorite: true))
    #expect(row(1)?.isPending == false)
  }
}
