import Arbor
import ArborEntities
import ArborPersistence
import ArborRequests
import Testing

// The code of the articles about changes, pages, records and storage. Another test compares the texts.

struct SetFavorite: Codable, Equatable, Sendable {
  let id: Album.ID
  let isOn: Bool
}

struct AlbumPage: Codable, Equatable, Sendable {
  var albums: [Album]
  var next: Int?
  var previous: Int?
}

private struct Client: Sendable {
  func setFavorite(_ id: Album.ID, _ isOn: Bool, idempotencyKey: String) async throws -> Album {
    Album(id: id, title: "Album \(id)", isFavorite: isOn)
  }

  func delete(_ id: Album.ID, idempotencyKey: String) async throws {}

  func details(_ id: Album.ID) async throws -> Album? { Album(id: id, title: "Album \(id)") }

  func albums(from cursor: Int) async throws -> AlbumPage {
    let next = cursor < 2 ? cursor + 1 : nil
    let previous = cursor > 0 ? cursor - 1 : nil
    return AlbumPage(albums: [Album(id: cursor, title: "Album \(cursor)")], next: next, previous: previous)
  }

  func search(_ text: String) async throws -> [Album] { [Album(id: 7, title: text)] }
}

private struct Shelf: Equatable, Sendable {
  var requests = Requests()
  var albums = EntityTable<Album>()
}

@Suite("Changes, pages and records")
struct RequestsChangesSnippets {
  private let client = Client()
  private let album = MusicRequests(client: .fake).album

  @Test func `a change is seen at once`() async throws {
    let favorite = Change<SetFavorite, Album>(
      "favorite",
      inOrder: { .album($0.id) },
      invalidates: { [.album($0.id)] },
      optimistic: { [album] input in [album.patch(input.id) { $0.isFavorite = input.isOn }] },
      send: { [client] input, key in
        try await client.setFavorite(input.id, input.isOn, idempotencyKey: key)
      }
    )

    let factory = StoreFactory<MusicState, MusicAction>(
      initialState: MusicState(),
      feature: Requests.feature(album, favorite)
        .scoped(to: \.requests, action: MusicAction.requests, extract: \.requests)
    )
    let requests = factory.scope(to: \.requests, action: MusicAction.requests)
    requests.dispatch(favorite.action(SetFavorite(id: 7, isOn: true)))  // returns at once
    let answer = try await requests.perform(favorite, SetFavorite(id: 7, isOn: true))  // waits for the server

    for change in factory.state.requests.changes where favorite.input(of: change)?.id == 7 {
      requests.dispatch(.cancelChange(change.id))
    }
    #expect(answer.isFavorite)
    await factory.settled()
    #expect(factory.state.requests.changes.isEmpty)
  }

  @Test func `a deleted record leaves all lists`() async throws {
    let search = Request<String, [Album]>(
      "search",
      tags: { _, _ in [.albums] },
      fetch: { [client] text in try await client.search(text) }
    )
    let delete = Change<Album.ID, NoValue>(
      "delete",
      invalidates: { _ in [.albums] },
      optimistic: { [search] id in [search.patchAll { albums in albums.removeAll { $0.id == id } }] },
      send: { [client] id, key in
        try await client.delete(id, idempotencyKey: key)
        return NoValue()
      }
    )

    let factory = StoreFactory(initialState: Requests(), feature: Requests.feature(search, delete))
    let requests = factory.rootStore()
    for text in ["a", "b"] { _ = try await requests.fetch(search, text) }
    await requests.dispatchAndWait(delete.action(7))
    #expect(["a", "b"].map { factory.state[search, $0].value } == [[], []])
    await factory.settled()
  }

  @Test func `a failed change without a caller stays until it is retried or removed`() async throws {
    let favorite = Change<SetFavorite, Int>("favorite") { _, _ in throw RequestFailure(.thrown, "forbidden") }
    let factory = StoreFactory(initialState: Requests(), feature: Requests.feature(favorite))
    let requests = factory.rootStore()
    requests.dispatch(favorite.action(SetFavorite(id: 7, isOn: true)))
    await factory.settled()
    let failed = requests.derived { cache in cache.changes.filter { $0.failure != nil } }
    for change in failed?.value ?? [] {
      print("album \(favorite.input(of: change)?.id ?? 0): \(change.failure?.reason ?? "")")
      requests.dispatch(.retryChange(change.id))
    }
    await factory.settled()
    #expect(failed?.value.map(\.failure?.reason) == ["forbidden"])
  }

  @Test func `pages are added at both ends`() async throws {
    let albums = Request<NoValue, Pages<Int, AlbumPage>>(
      pages: "albums",
      first: 1,
      next: { page in page.next },
      previous: { page in page.previous },
      atMost: 10,
      freshFor: .seconds(60),
      tags: { _, page in page.albums.map { .album($0.id) } },
      fetch: { [client] _, cursor in try await client.albums(from: cursor) }
    )

    let factory = StoreFactory(initialState: Requests(), feature: Requests.feature(albums))
    let requests = factory.rootStore()
    let list = requests.request(albums, NoValue())
    let rows = list?.derived { list in list.value?.pages.flatMap(\.albums) ?? [] }
    let isLoadingMore = list?.derived { list in list.fetchedPage == .next }

    _ = try await requests.fetch(albums, NoValue())
    requests.dispatch(.fetchPage(albums.id(NoValue()), .next))
    _ = try await requests.fetch(albums, NoValue())
    #expect(rows?.value.map(\.id) == [1, 2])
    #expect((list?.value.value?.hasNext, isLoadingMore?.value) == (false, false))
    requests.dispatch(.fetchPage(albums.id(NoValue()), .previous))
    _ = try await requests.fetch(albums, NoValue())
    #expect(rows?.value.map(\.id) == [0, 1, 2])

    let favorite = Change<SetFavorite, Album>(
      "favorite",
      optimistic: { input in
        [
          albums.patch(NoValue()) { pages in
            pages.changeEach { page in
              for index in page.albums.indices where page.albums[index].id == input.id {
                page.albums[index].isFavorite = input.isOn
              }
            }
          }
        ]
      },
      send: { [client] input, key in
        try await client.setFavorite(input.id, input.isOn, idempotencyKey: key)
      }
    )
    #expect(favorite.name == "favorite")
  }

  @Test func `a record in several lists is one entry`() async throws {
    let found = Request<String, [Album]>("found", freshFor: .seconds(60)) { [client] text in
      try await client.search(text)
    }
    .normalized { [album] albums in RequestAnswer(albums.map(\.id)).providing(album, albums) }

    let albums = Request<NoValue, Pages<Int, AlbumPage>>(
      pages: "albums",
      first: 0,
      next: { page in page.next },
      fetch: { [client] _, cursor in try await client.albums(from: cursor) }
    )
    .normalized { [album] pages in
      RequestAnswer(pages.mapPages { page in page.albums.map(\.id) })
        .providing(album, pages.pages.flatMap(\.albums))
    }

    let factory = StoreFactory(initialState: Requests(), feature: Requests.feature(album, found, albums))
    let requests = factory.rootStore()
    let results = requests.request(found, "Blue")  // its value is [Album.ID]
    _ = try await requests.fetch(found, "Blue")
    let row = requests.cached(album, 7)
    #expect((results?.value.value, row?.value.value?.title) == ([7], "Blue"))
    let pages = try await requests.fetch(albums, NoValue())
    #expect(pages.pages == [[0]])
  }

  @Test func `changes patch a list of ids and an optional answer`() async throws {
    let found = Request<String, [Album]>("found", freshFor: .seconds(60)) { [client] text in
      try await client.search(text)
    }
    .normalized { [album] albums in RequestAnswer(albums.map(\.id)).providing(album, albums) }
    let details = Request<Album.ID, Album?>("details") { [client] id in try await client.details(id) }
    let hide = Change<Album.ID, NoValue>(
      "hide",
      optimistic: { [found] id in [found.patchAll { ids in ids.removeAll { $0 == id } }] },
      send: { _, _ in NoValue() }
    )
    let delete = Change<Album.ID, NoValue>(
      "delete",
      optimistic: { id in [details.patch(id) { $0 = nil }] },
      send: { _, _ in NoValue() }
    )

    let factory = StoreFactory(
      initialState: Requests(),
      feature: Requests.feature(album, found, details, hide, delete)
    )
    let requests = factory.rootStore()
    _ = try await requests.fetch(found, "Blue")
    _ = try await requests.fetch(details, 7)
    _ = try await requests.perform(hide, 7)
    _ = try await requests.perform(delete, 7)
    #expect(factory.state[found, "Blue"].value == [])
    #expect(factory.state[details, 7].value == .some(nil))
  }

  @Test func `a feature writes records into a table of its own`() async throws {
    let feature = Feature<Shelf, RequestAction>.combined(
      Requests.feature(album).scoped(to: \.requests, action: { $0 }, extract: { $0 }),
      Feature { [album] shelf, action in
        for album in album.answers(in: action) { try? shelf.albums.upsert(album) }
      }
    )
    let factory = StoreFactory(initialState: Shelf(), feature: feature)
    let requests = factory.scope(to: \.requests)
    _ = try await requests.fetch(album, 7)
    #expect(factory.state.albums[7]?.title == "Album 7")
  }

  @Test func `the cache and its pending changes survive a restart`() async throws {
    let storage = Storage.inMemory()
    let definitions = MusicRequests(client: .fake)
    let cache = Persisted(\MusicState.requests, as: "requests", removeDuplicates: .by(\.requests.stored))
    var (state, _) = try await storage.load(into: MusicState(), [cache])
    state.requests.isOnline = true  // false to begin without a connection
    let factory = StoreFactory(
      initialState: state,
      feature: music(definitions),
      settings: TreeSettings(monitors: [storage.saving([cache])])
    )

    _ = try await factory.scope(to: \.requests, action: MusicAction.requests).fetch(definitions.album, 7)
    try await storage.flush()
    let (later, _) = try await storage.load(into: MusicState(), [cache])
    let again = StoreFactory(initialState: later, feature: music(definitions))
    let requests = again.scope(to: \.requests, action: MusicAction.requests)
    requests.dispatch(.becameOffline)
    let album = requests.request(definitions.album, 7)
    #expect((album?.value.value?.title, album?.value.isStale) == ("Album 7", true))
  }

  @Test func `the connection comes and goes`() async {
    let connection = AsyncStream<Bool>.makeStream()
    let factory = StoreFactory(initialState: Requests(), feature: Requests.feature(album))
    connection.continuation.yield(true)
    connection.continuation.yield(false)
    connection.continuation.finish()
    await follow(connection.stream, in: factory.rootStore())
    #expect(!factory.state.isOnline)
  }
}

private func follow(_ connection: AsyncStream<Bool>, in requests: Store<Requests, RequestAction>) async {
  for await isOnline in connection {
    requests.dispatch(isOnline ? .becameOnline : .becameOffline)
  }
}
