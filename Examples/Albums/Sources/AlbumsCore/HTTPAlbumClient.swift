import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The albums of a server, over HTTP.
struct HTTPAlbumClient: AlbumClient {
  private let server: URL
  private let session: URLSession

  init(_ server: URL) {
    self.server = server
    // The cache of the requests is the only one.
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.timeoutIntervalForRequest = 10
    session = URLSession(configuration: configuration)
  }

  func albums(from cursor: Int) async throws -> AlbumPage {
    let query = [URLQueryItem(name: "from", value: "\(cursor)"), URLQueryItem(name: "limit", value: "4")]
    return try await answer(to: URLRequest(url: server.appending(path: "albums").appending(queryItems: query)))
  }

  func album(_ id: Album.ID) async throws -> Album {
    try await answer(to: URLRequest(url: server.appending(path: "albums/\(id)")))
  }

  func setFavorite(_ id: Album.ID, _ isFavorite: Bool, key: String) async throws -> Album {
    var request = URLRequest(url: server.appending(path: "albums/\(id)/favorite"))
    request.httpMethod = "PUT"
    request.setValue(key, forHTTPHeaderField: "Idempotency-Key")
    request.httpBody = try JSONEncoder().encode(isFavorite)
    return try await answer(to: request)
  }

  private func answer<Answer: Decodable>(to request: URLRequest) async throws -> Answer {
    let (body, response): (Data, URLResponse)
    do {
      (body, response) = try await data(for: request)
    } catch let error as URLError {
      switch error.code {
      case .cancelled: throw CancellationError()
      case .networkConnectionLost, .badServerResponse: throw AlbumClientError.noAnswer
      default: throw AlbumClientError.unreachable(error.localizedDescription)
      }
    }
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    guard status == 200 else { throw AlbumClientError.status(status) }
    return try JSONDecoder().decode(Answer.self, from: body)
  }

  /// Sends a request, and waits for its answer.
  ///
  /// - Some versions of `URLSession.data(for:)` on Linux wait forever if they are canceled while the answer arrives:
  ///   https://github.com/swiftlang/swift-corelibs-foundation/issues/5412. Here, the cancellation doesn't wait.
  private func data(for request: URLRequest) async throws -> (Data, URLResponse) {
    let (answers, continuation) = AsyncThrowingStream<(Data, URLResponse), any Error>.makeStream()
    let task = session.dataTask(with: request) { data, response, error in
      if error == nil, let data, let response { continuation.yield((data, response)) }
      continuation.finish(throwing: error)
    }
    continuation.onTermination = { reason in
      if case .cancelled = reason { DispatchQueue.global().async { task.cancel() } }
    }
    task.resume()
    for try await answer in answers { return answer }
    throw CancellationError()
  }
}
