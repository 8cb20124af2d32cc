import Arbor
import ArborRequests
import ArborRequestsTesting
import ArborTesting
import Foundation
import Testing

// The code of the articles about tests and metrics of requests. Another test compares the texts.

/// A client that a test store never calls.
private let unused = MusicClient(
  album: { _ in throw CancellationError() },
  charts: { throw CancellationError() }
)

@Suite("Tests of requests")
struct RequestsTestingSnippets {
  @Test func `an album is fetched again when it is stale`() async {
    let definitions = MusicRequests(client: unused)
    let clock = TestClock()
    let store = TestStore(
      initialState: MusicState(),
      feature: music(definitions),
      clock: clock,
      exhaustivity: .off
    )
    let requests = store.store().scope(to: \.requests, action: MusicAction.requests)

    store.server.answers(definitions.album, 7, with: Album(id: 7, title: "Blue"))
    let first = requests.request(definitions.album, 7)
    await store.skipReceivedActions()
    #expect(first?.value.phase == .loaded(Album(id: 7, title: "Blue")))

    clock.advance(by: .seconds(60))
    await store.skipReceivedActions()
    #expect(store.state.requests[definitions.album, 7].isStale)

    store.server.fails(definitions.album, 7, with: RequestFailure(.undecodable, "no title"))
    let second = requests.request(definitions.album, 7)
    await store.skipReceivedActions()
    #expect(second?.value.value?.title == "Blue")
    #expect(second?.value.failure?.reason == "no title")
    #expect(store.server.calls == ["album(7)", "album(7)"])
    await store.finish()
  }

  @Test func `metrics count hits and misses`() async throws {
    let definitions = MusicRequests(client: .fake)

    let metrics = RequestMetrics(\MusicState.requests) { (action: MusicAction) in action.requests }
    let factory = StoreFactory(
      initialState: MusicState(),
      feature: music(definitions),
      settings: TreeSettings(monitors: [metrics])
    )

    let requests = factory.scope(to: \.requests, action: MusicAction.requests)
    for _ in 0..<2 { _ = try await requests.fetch(definitions.album, 7) }

    if let counts = metrics.report.requests["album"] {
      print(counts.hits, counts.misses, counts.durations.percentile(95) ?? .zero)
    }
    #expect(metrics.report.requests["album"]?.hits == 1)
    #expect(metrics.report.requests["album"]?.misses == 1)
  }

  @Test func `a loading album is shown`() async {
    let definitions = MusicRequests(client: unused)
    let store = TestStore(initialState: MusicState(), feature: music(definitions), exhaustivity: .off)
    let requests = store.store().scope(to: \.requests, action: MusicAction.requests)

    store.server.hangs(definitions.album, 7)
    let album = requests.request(definitions.album, 7)
    await store.skipReceivedActions()
    #expect(album?.value.phase == .loading)

    store.server.answers(definitions.album, 7, with: Album(id: 7, title: "Blue"))
    await store.skipReceivedActions()
    #expect(album?.value.value?.title == "Blue")
    await store.finish()
  }

  @Test func `code that waits for an answer runs in a task of the store`() async throws {
    let definitions = MusicRequests(client: unused)
    let store = TestStore(initialState: MusicState(), feature: music(definitions), exhaustivity: .off)
    let requests = store.store().scope(to: \.requests, action: MusicAction.requests)

    store.server.answers(definitions.album, 7, with: Album(id: 7, title: "Blue"))
    store.server.fails(definitions.album, 8, with: RequestFailure(.undecodable, "no title"))
    let waiting = requests.task { _ in try await requests.fetch(definitions.album, 7) }
    let failing = requests.task { _ in try await requests.fetch(definitions.album, 8) }
    await store.skipReceivedActions()
    #expect(try await waiting.value.title == "Blue")
    await #expect(throws: RequestFailure(.undecodable, "no title")) { try await failing.value }
    await store.finish()
  }

  @Test func `code that waits for a change runs in a task of the store`() async throws {
    let requestOfAlbum = MusicRequests(client: unused).album
    let favorite = Change<SetFavorite, NoValue>(
      "favorite",
      optimistic: { input in [requestOfAlbum.patch(input.id) { $0.isFavorite = input.isOn }] },
      send: { _, _ in throw CancellationError() }
    )
    let store = TestStore(
      initialState: Requests(),
      feature: Requests.feature(requestOfAlbum, favorite),
      exhaustivity: .off
    )
    let requests = store.store()
    store.server.answers(requestOfAlbum, 7, with: Album(id: 7, title: "Blue"))
    let album = requests.request(requestOfAlbum, 7)
    await store.skipReceivedActions()

    store.server.hangs(favorite, SetFavorite(id: 7, isOn: true))
    let change = requests.task { _ in try await requests.perform(favorite, SetFavorite(id: 7, isOn: true)) }
    await store.skipReceivedActions()
    #expect(album?.value.value?.isFavorite == true)
    #expect(album?.value.isPending == true)

    store.server.answers(favorite, SetFavorite(id: 7, isOn: true), with: NoValue())
    await store.skipReceivedActions()
    #expect(try await change.value == NoValue())
    await store.finish()
  }

  @Test func `a stored cache continues in a second test store`() async throws {
    let definitions = MusicRequests(client: unused)
    let favorite = Change<SetFavorite, NoValue>("favorite") { _, _ in throw CancellationError() }
    let input = SetFavorite(id: 7, isOn: true)
    let feature = Requests.feature(definitions.album, favorite)

    let first = TestStore(initialState: Requests(), feature: feature, exhaustivity: .off)
    await first.send(.becameOffline)
    await first.send(favorite.action(input))
    let stored = try JSONEncoder().encode(first.state)
    await first.finish()

    let cache = try JSONDecoder().decode(Requests.self, from: stored)
    let second = TestStore(initialState: cache, feature: feature, exhaustivity: .off)
    second.server.answers(favorite, input, with: NoValue())
    await second.skipReceivedActions()
    #expect(second.server.calls == ["\(favorite.id(input))"])
    #expect(second.state.changes.isEmpty)
    await second.finish()
  }
}
