internal import ArborPersistence

/// The reason why a turn of a session has ended.
enum SyncFailure: Error {
  /// The log cannot be reached: it is tried again.
  case connection(LogError)

  /// The outbox cannot be written: it is tried again.
  case outbox(StorageError)

  /// Somebody sends actions with the numbers of this client, by a copy of its outbox: another incarnation goes on.
  case copied

  /// Nothing is tried again.
  case stop(SyncStop)

  /// The store has gone.
  case ended

  init(_ error: LogError) {
    switch error {
    case .anotherLog: self = .stop(.anotherLog)
    case .unreachable, .compacted: self = .connection(error)
    case .missingActions, .messageTooLong, .refused: self = .stop(.refused(error.description))
    }
  }

  /// Does something with the log.
  static func ofLog<Value>(_ body: () async throws(LogError) -> Value) async throws(SyncFailure) -> Value {
    do {
      return try await body()
    } catch {
      throw SyncFailure(error)
    }
  }
}
