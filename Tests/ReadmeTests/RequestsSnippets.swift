import Arbor
import ArborRequests
import Testing

// The code of the first articles about requests. Another test compares the texts.

struct Album: Codable, Identifiable, Equatable, Sendable {
  let id: Int
  var title: String
  var artist = 1
  var isFavorite = false
}

/// The calls of the server.
struct MusicClient: Sendable {
  var album: @Sendable (_ id: Album.ID) async throws -> Album
  var charts: @Sendable () async throws -> [Album]
}

/// The definitions, which keep the client.
struct MusicRequests: Sendable {
  let album: Request<Album.ID, Album>
  let charts: Request<NoValue, [Album]>

  init(client: MusicClient) {
    album = Request(
      "album",
      freshFor: .seconds(60),
      tags: { id, _ in [.album(id)] },
      fetch: { id in try await client.album(id) }
    )
    charts = Request(
      "charts",
      tags: { _, albums in albums.map { .album($0.id) } },
      fetch: { _ in try await client.charts() }
    )
  }
}

extension RequestTag {
  static let albums = RequestTag("album")
  static func album(_ id: Album.ID) -> RequestTag { RequestTag("album", id) }
}

struct MusicState: Equatable, Sendable {
  var requests = Requests()
  var selection: Album.ID?
}

enum MusicAction: Equatable, Sendable {
  case requests(RequestAction)
  case select(Album.ID?)

  var requests: RequestAction? { if case .requests(let action) = self { action } else { nil } }
}

func music(_ definitions: MusicRequests) -> Feature<MusicState, MusicAction> {
  .combined(
    Requests.feature(definitions.album, definitions.charts)
      .scoped(to: \.requests, action: MusicAction.requests, extract: \.requests),
    Feature { state, action in
      if case .select(let id) = action { state.selection = id }
    }
  )
}

extension MusicState: Codable {}

extension MusicClient {
  /// A server with an album for each id.
  static let fake = MusicClient(
    album: { id in Album(id: id, title: "Album \(id)") },
    charts: { [Album(id: 7, title: "Album 7")] }
  )
}

@Suite("Requests")
struct RequestsSnippets {
  let client = MusicClient.fake

  @Test func `a first request is observed and awaited`() async throws {
    let definitions = MusicRequests(client: client)
    let factory = StoreFactory(initialState: MusicState(), feature: music(definitions))
    let requests = factory.scope(to: \.requests, action: MusicAction.requests)

    let album = requests.request(definitions.album, 7)
    let printing = album?.observe { album in
      switch album.phase {
      case .idle: print(album.isWaiting ? "no connection" : "")
      case .loading: print("loading …")
      case .loaded(let album): print(album.title, album.isFavorite ? "♥" : "")
      case .failed(let failure): print("failed: \(failure)")
      }
    }

    let charts = try await requests.fetch(definitions.charts, NoValue())
    print(charts.map(\.title))

    if let album {
      for await album in album.states where album.value != nil {
        print(album.value?.title ?? "", album.isStale, album.isFetching)
        break
      }
    }
    #expect(charts.map(\.id) == [7])
    #expect(album?.value.value?.title == "Album 7")
    withExtendedLifetime(printing) {}
  }

  @Test func `actions fetch again`() async throws {
    let definitions = MusicRequests(client: client)
    let factory = StoreFactory(initialState: MusicState(), feature: music(definitions))
    let requests = factory.scope(to: \.requests, action: MusicAction.requests)
    let album = definitions.album

    requests.dispatch(.prefetch(album.id(7)))  // fetches it, unless it is fresh
    requests.dispatch(.refetch(album.id(7)))  // fetches it in any case
    requests.dispatch(.invalidate([.album(7)]))  // all answers with this tag are stale
    requests.dispatch(.invalidate([.albums]))  // all answers with a tag of this name
    requests.dispatch(.invalidateRequest(name: album.name))  // the answers to all arguments
    requests.dispatch(.invalidateEntry(album.id(7)))  // one answer
    await factory.settled()
    #expect(factory.state.requests[album, 7].value?.id == 7)
  }

  @Test func `a request has times and limits`() async throws {
    let lyrics = Request<Album.ID, String>(
      "lyrics",
      freshFor: .seconds(60 * 60),
      keptFor: .seconds(5 * 60),
      retries: 2,
      backoff: .exponential(initial: .seconds(1)).capped(at: .seconds(10)),
      every: .seconds(2 * 60 * 60),
      timeout: .seconds(10),
      tags: { id, _ in [.album(id)] },
      fetch: { id in try await fetchLyrics(id) }
    )

    let factory = StoreFactory(initialState: Requests(), feature: Requests.feature(lyrics))
    #expect(try await factory.rootStore().fetch(lyrics, 7) == "La la 7")
  }

  @Test func `the argument changes, and depends on another answer`() async throws {
    let definitions = MusicRequests(client: client)
    let artist = Request<Int, String>("artist", freshFor: nil) { id in "Artist \(id)" }
    let factory = StoreFactory(
      initialState: MusicState(),
      feature: .combined(
        Requests.feature(definitions.album, artist)
          .scoped(to: \.requests, action: MusicAction.requests, extract: \.requests),
        Feature { state, action in
          if case .select(let id) = action { state.selection = id }
        }
      )
    )
    let requests = factory.scope(to: \.requests, action: MusicAction.requests)

    let selected = factory.derived(\.selection)  // nil until an album is selected
    let album = requests.request(definitions.album, following: selected)
    let title = album?.derived { album in
      album.isPrevious ? "…" : album.value?.title ?? "nothing selected"
    }

    let artistID = album?.derived { $0.value?.artist }  // nil until the album is here
    let name = artistID.flatMap { requests.request(artist, following: $0) }

    #expect(title?.value == "nothing selected")
    factory.dispatch(.select(7))
    if let name { for await name in name.states where name.value != nil { break } }
    #expect((title?.value, name?.value.value) == ("Album 7", "Artist 1"))
  }

  @Test func `a stream runs while it is observed`() async throws {
    let listeners = Request<Album.ID, Int>(streaming: "listeners", keptFor: .seconds(10)) { id in
      numbersOfListeners(of: id)  // an AsyncStream<Int>
    }

    let factory = StoreFactory(initialState: Requests(), feature: Requests.feature(listeners))
    let observed = factory.rootStore().request(listeners, 7)
    if let observed { for await state in observed.states where state.value == 3 { break } }
    #expect(observed?.value.value == 3)
  }
}

private func fetchLyrics(_ id: Album.ID) async throws -> String { "La la \(id)" }

private func numbersOfListeners(of id: Album.ID) -> AsyncStream<Int> {
  AsyncStream { continuation in
    for number in 1...3 { continuation.yield(number) }
    continuation.finish()
  }
}
