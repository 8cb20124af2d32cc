/// The calls to the server. Tests have a client without a server.
protocol AlbumClient: Sendable {
  /// Returns the page of the list that begins at a cursor; 0 is the beginning.
  func albums(from cursor: Int) async throws -> AlbumPage

  func album(_ id: Album.ID) async throws -> Album

  /// Changes an album, and returns it. The server ignores a key that it already knows.
  func setFavorite(_ id: Album.ID, _ isFavorite: Bool, key: String) async throws -> Album
}

/// A reason why the server sent no usable answer.
enum AlbumClientError: Error, Equatable, CustomStringConvertible {
  case status(Int)
  case noAnswer
  case unreachable(String)

  var description: String {
    switch self {
    case .status(404): "the server has no such album"
    case .status(let status): "the server answered with the status \(status)"
    case .noAnswer: "the server closed the connection without an answer"
    case .unreachable(let reason): "the server could not be reached: \(reason)"
    }
  }
}
