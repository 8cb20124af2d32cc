import Arbor
import ArborRequests

/// The questions that the program asks the server, and the change that it makes there.
struct AlbumRequests: Sendable {
  /// One album.
  let album: Request<Album.ID, Album>

  /// The ids of the albums in the list, page by page. The albums themselves are the entries of ``album``.
  let list: Request<NoValue, Pages<Int, [Album.ID]>>

  /// Makes an album a favorite, or no longer one.
  let setFavorite: Change<Favorite, Album>

  /// The input of ``setFavorite``.
  struct Favorite: Codable, Hashable, Sendable {
    let id: Album.ID
    let isFavorite: Bool
  }

  /// - Parameters:
  ///   - client: Calls the server.
  ///   - backoff: The delays before a failed call is repeated; at most two times.
  init(_ client: some AlbumClient, backoff: EffectBackoff = .exponential(initial: .milliseconds(200))) {
    let album = Request<Album.ID, Album>(
      "album",
      freshFor: .seconds(300),
      retries: 2,
      backoff: backoff,
      tags: { id, _ in [.album(id)] },
      fetch: { id in try await client.album(id) }
    )
    let pages = Request<NoValue, Pages<Int, AlbumPage>>(
      pages: "albums",
      first: 0,
      next: { page in page.next },
      previous: { page in page.previous },
      freshFor: .seconds(300),
      retries: 2,
      backoff: backoff,
      fetch: { _, cursor in try await client.albums(from: cursor) }
    )
    self.album = album
    list = pages.normalized { list in
      RequestAnswer(list.mapPages { page in page.items.map(\.id) }).providing(album, list.pages.flatMap(\.items))
    }
    setFavorite = Change(
      "favorite",
      retries: 2,
      backoff: backoff,
      inOrder: { .album($0.id) },
      invalidates: { [.album($0.id)] },
      optimistic: { input in [album.patch(input.id) { $0.isFavorite = input.isFavorite }] },
      send: { input, key in try await client.setFavorite(input.id, input.isFavorite, key: key) }
    )
  }
}

extension RequestTag {
  static func album(_ id: Album.ID) -> RequestTag { RequestTag("album", id) }
}
