/// An album, as the server sends it.
struct Album: Identifiable, Codable, Hashable, Sendable {
  let id: Int
  let title: String
  let artist: String
  var isFavorite = false
}

/// A page of the list, as the server sends it.
struct AlbumPage: Codable, Hashable, Sendable {
  let items: [Album]

  /// The cursors of the neighbors; nil at the ends of the list.
  let next: Int?
  let previous: Int?
}
