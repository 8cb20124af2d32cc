import Arbor
import ArborRequests
import ArborUI
import SwiftUI
import Testing

// The view of the article about the first request. A test of the library's package compares the two texts.

private struct Album: Codable, Identifiable, Equatable, Sendable {
  let id: Int
  var title: String
}

private struct AlbumView: View {
  let requests: Store<Requests, RequestAction>
  let album: Request<Album.ID, Album>
  let id: Album.ID
  @State private var shown: ObservableStore<RequestState<Album>, Never>?

  var body: some View {
    HStack {
      switch shown?.phase {
      case .loaded(let album): Text(album.title)
      case .failed(let failure): Text(failure.reason)
      case .idle, .loading, nil: ProgressView("Loading")
      }
    }
    .task(id: id) { shown = requests.request(album, id)?.observable() }
  }
}

@MainActor
@Suite("Screens of requests")
struct RequestsScreens {
  @Test func `a view reads the phase of an answer`() async throws {
    let album = Request<Album.ID, Album>("album", freshFor: nil) { id in Album(id: id, title: "Album \(id)") }
    let factory = StoreFactory(initialState: Requests(), feature: Requests.feature(album))
    let requests = factory.rootStore()
    let shown = requests.request(album, 7)?.observable()
    _ = try await requests.fetch(album, 7)
    while shown?.phase == .loading { await Task.yield() }
    #expect(shown?.phase == .loaded(Album(id: 7, title: "Album 7")))
    _ = AlbumView(requests: requests, album: album, id: 7).body
  }
}
