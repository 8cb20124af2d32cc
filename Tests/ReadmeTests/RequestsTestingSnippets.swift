import Arbor
import ArborRequests
import ArborRequestsTesting
import ArborTesting
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
}
