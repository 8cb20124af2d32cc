import Synchronization

@testable import AlbumsCore

/// A client whose calls wait until a test answers them, in any order.
final class FakeClient: AlbumClient {
  private struct Call {
    let name: String
    let answer: @Sendable (Result<any Sendable, any Error>) -> Void
  }

  private let calls = Mutex<[Call]>([])
  private let sentKeys = Mutex<[String]>([])

  /// The calls that wait.
  var open: [String] { calls.withLock { $0.map(\.name) } }

  /// The keys of the changes that were sent, in order.
  var keys: [String] { sentKeys.withLock(\.self) }

  func albums(from cursor: Int) async throws -> AlbumPage { try await call("albums from \(cursor)") }

  func album(_ id: Album.ID) async throws -> Album { try await call("album \(id)") }

  func setFavorite(_ id: Album.ID, _ isFavorite: Bool, key: String) async throws -> Album {
    sentKeys.withLock { $0.append(key) }
    return try await call("\(isFavorite ? "favorite" : "unfavorite") \(id)")
  }

  private func call<Answer: Sendable>(_ name: String) async throws -> Answer {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        calls.withLock { calls in
          calls.append(Call(name: name) { answer in continuation.resume(with: answer.map { $0 as! Answer }) })
        }
      }
    } onCancel: {
      take(name)?.answer(.failure(CancellationError()))
    }
  }

  /// Answers the first call with a name.
  func answer(_ name: String, _ answer: any Sendable) {
    take(name)?.answer(.success(answer))
  }

  func fail(_ name: String, _ error: AlbumClientError = .status(500)) {
    take(name)?.answer(.failure(error))
  }

  private func take(_ name: String) -> Call? {
    calls.withLock { calls in calls.firstIndex { $0.name == name }.map { calls.remove(at: $0) } }
  }
}

extension Album {
  init(_ id: Int, isFavorite: Bool = false) {
    self.init(id: id, title: "Album \(id)", artist: "Artist \(id)", isFavorite: isFavorite)
  }
}

extension AlbumPage {
  init(_ ids: Range<Int>, next: Int? = nil) {
    self.init(items: ids.map { Album($0) }, next: next, previous: nil)
  }
}
