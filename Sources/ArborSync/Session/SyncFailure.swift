internal import ArborPersistence

/// The reason why a session's loop has ended.
enum SyncFailure: Error {
  /// The log cannot be reached. The session tries again.
  case connection(LogError)

  /// The outbox cannot be written. The session tries again.
  case outbox(StorageError)

  /// Another process sends actions with this client's numbers, because it has a copy of the outbox. The client continues as
  /// another incarnation.
  case copied

  /// The session stops, and doesn't try again.
  case stop(SyncStop)

  /// The store is gone.
  case ended

  init(_ error: LogError) {
    switch error {
    case .anotherLog: self = .stop(.anotherLog)
    case .unreachable, .compacted: self = .connection(error)
    case .missingActions, .messageTooLong, .refused: self = .stop(.refused(error.description))
    }
  }

  /// Calls a body that uses the log, and converts its error.
  static func ofLog<Value>(_ body: () async throws(LogError) -> Value) async throws(SyncFailure) -> Value {
    do {
      return try await body()
    } catch {
      throw SyncFailure(error)
    }
  }
}
