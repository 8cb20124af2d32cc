import AlbumServer
import Arbor
import ArborPersistence
import ArborRequests
import Foundation
import Testing

@testable import AlbumsCore

/// The program with its client and a server, over HTTP.
struct ServerTests {
  private let server: AlbumServer
  private let client: HTTPAlbumClient
  private let requests: AlbumRequests
  private let storage = Storage.inMemory()

  init() throws {
    server = try AlbumServer()
    client = HTTPAlbumClient(server.url)
    requests = AlbumRequests(client, backoff: .none)
  }

  /// Starts the program with the stored state.
  private func start() async throws -> StoreFactory<AppState, AppAction> {
    try await StoredState(storage: storage).makeFactory(requests)
  }

  private func favorite(_ id: Album.ID) -> AppAction {
    .requests(requests.setFavorite.action(.init(id: id, isFavorite: true)))
  }

  @Test func `pages have cursors of their neighbors`() async throws {
    let first = try await client.albums(from: 0)
    #expect(first.items.map(\.id) == [1, 2, 3, 4])
    #expect(first.previous == nil)
    let second = try await client.albums(from: try #require(first.next))
    #expect(second.items.map(\.id) == [5, 6, 7, 8])
    #expect(second.previous == 1)
    let third = try await client.albums(from: try #require(second.next))
    #expect((third.items.count, third.next) == (4, nil))
  }

  @Test func `an error of the server has a reason`() async throws {
    await #expect(throws: AlbumClientError.status(404)) { try await client.album(99) }
    server.behavior = .failing(requests: 1)
    await #expect(throws: AlbumClientError.status(500)) { try await client.album(1) }
    server.behavior = .dropping(requests: 1)
    await #expect(throws: AlbumClientError.noAnswer) { try await client.album(1) }
    #expect(try await client.album(1).title == "Blue Train")
    let nowhere = HTTPAlbumClient(URL(string: "http://127.0.0.1:1")!)
    let error = await #expect(throws: AlbumClientError.self) { try await nowhere.album(1) }
    #expect(error?.description.hasPrefix("the server could not be reached: ") == true)
  }

  @Test func `the same key again changes nothing`() async throws {
    #expect(try await client.setFavorite(1, true, key: "a").isFavorite)
    #expect(try await !client.setFavorite(1, false, key: "b").isFavorite)
    #expect(try await client.setFavorite(1, true, key: "a").isFavorite)
    #expect(try await !client.album(1).isFavorite)
    #expect(server.changeCount == 2)
  }

  @Test func `a change whose answer is lost is sent again, and made once`() async throws {
    let factory = try await start()
    let store = factory.rootStore()
    let detail = try #require(Screens(requests: requests, store: store).detail())
    await store.dispatchAndWait(.open(3))
    await store.settled()
    server.behavior = .dropping(requests: 1)
    await store.dispatchAndWait(favorite(3))
    await store.settled()
    #expect(detail.value == DetailScreen(album: try await client.album(3), status: .fresh))
    #expect(detail.value?.album?.isFavorite == true)
    #expect(server.changeCount == 1)
    #expect(
      server.takeLog().filter { $0.hasPrefix("PUT") } == [
        "PUT /albums/3/favorite: no answer", "PUT /albums/3/favorite: 200",
      ])
  }

  @Test func `an older answer that arrives later is not shown`() async throws {
    let factory = try await start()
    let store = factory.rootStore()
    let detail = try #require(Screens(requests: requests, store: store).detail())
    server.behavior = .reordering
    await store.dispatchAndWait(.open(1))
    await server.holds(1)
    // The answer that is held is older than the second one, and the server sends it last.
    await store.dispatchAndWait(.requests(.refetch(requests.album.id(1))))
    await store.settled()
    #expect(server.behavior == .normal)
    #expect(detail.value?.status == .fresh)
    #expect(server.takeLog() == ["GET /albums/1: 200", "GET /albums/1: 200"])
  }

  @Test func `a list from before a favorite that arrives after its confirmation doesn't hide it`() async throws {
    let factory = try await start()
    let store = factory.rootStore()
    let screens = Screens(requests: requests, store: store)
    let list = try #require(screens.list())
    await store.settled()
    server.behavior = .reordering
    await store.dispatchAndWait(.requests(.refetch(requests.list.id(NoValue()))))
    await server.holds(1)
    await store.dispatchAndWait(favorite(2))
    await store.settled()
    #expect(server.behavior == .normal)
    #expect(list.value.status == .fresh)
    #expect(screens.row(2)?.value == AlbumRow(album: try await client.album(2), isPending: false))
    #expect(screens.row(2)?.value?.album.isFavorite == true)
  }

  @Test func `the details are those of the open album, in any order of the answers`() async throws {
    let factory = try await start()
    let store = factory.rootStore()
    let detail = try #require(Screens(requests: requests, store: store).detail())
    server.behavior = .reordering
    await store.dispatchAndWait(.open(1))
    await server.holds(1)
    await store.dispatchAndWait(.open(2))
    await store.settled()
    #expect(detail.value?.album?.id == 2)
    #expect(detail.value?.status == .fresh)
  }

  @Test func `a favorite made offline is sent after a restart, when the connection is back`() async throws {
    do {
      let factory = try await start()
      let store = factory.rootStore()
      let list = try #require(Screens(requests: requests, store: store).list())
      await store.settled()
      #expect(list.value.ids == [1, 2, 3, 4])
      await store.dispatchAndWait(.requests(.becameOffline))
      await store.dispatchAndWait(favorite(2))
      try await storage.flush()
    }
    _ = server.takeLog()
    let factory = try await start()
    let store = factory.rootStore()
    await store.dispatchAndWait(.requests(.becameOffline))
    let screens = Screens(requests: requests, store: store)
    let list = try #require(screens.list())
    #expect(list.value == ListScreen(ids: [1, 2, 3, 4], hasMore: true, isStale: true, status: .offline))
    let row = try #require(screens.row(2))
    let album = Album(id: 2, title: "Kind of Blue", artist: "Miles Davis", isFavorite: true)
    #expect(row.value == AlbumRow(album: album, isPending: true))
    #expect(server.takeLog() == [])
    await store.dispatchAndWait(.requests(.becameOnline))
    await store.settled()
    #expect(list.value == ListScreen(ids: [1, 2, 3, 4], hasMore: true, status: .fresh))
    #expect(row.value == AlbumRow(album: album, isPending: false))
    #expect(server.takeLog().sorted() == ["GET /albums?from=0&limit=4: 200", "PUT /albums/2/favorite: 200"])
  }
}
