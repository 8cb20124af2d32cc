internal import Dispatch

/// The calls of a log, one at a time, on one shared connection.
///
/// - One connection is enough, because a client makes one call after another, and each connection is a process of the server.
/// - The first call opens the connection, and a call after a failure opens it again. If a call finds the connection lost, it is
///   retried once on a new one: the server may have closed the old one long ago, and each call of a log is safe to repeat.
/// - Only the queue's thread waits for the server, so no thread of Swift's tasks is blocked.
package final class CallQueue: @unchecked Sendable {
  // Sendable because everything is constant and sendable except the connection, which is used only on the queue.

  private let settings: ConnectionSettings
  private let queue = DispatchQueue(label: "arbor.postgres-log.calls")
  private var connection: PostgresConnection?

  package init(_ settings: ConnectionSettings) {
    self.settings = settings
  }

  /// Performs a query.
  ///
  /// - Parameter hint: A query that is sent together with it. If it fails, that doesn't affect the call.
  package func ask(_ query: PostgresQuery, with hint: PostgresQuery? = nil) async throws(PostgresError) -> PostgresRows
  {
    try await perform { connection throws(PostgresError) in
      try connection.perform([query] + (hint.map { [$0] } ?? []))[0].get()
    }
  }

  /// Throws if the schema of the logs belongs to an untrusted role.
  func requireOwners() async throws(PostgresError) {
    try await perform { connection throws(PostgresError) in try connection.requireOwners() }
  }

  /// Runs a script.
  package func run(_ script: String) async throws(PostgresError) {
    try await perform { connection throws(PostgresError) in try connection.run(script) }
  }

  private func perform<Value: Sendable>(
    _ body: @escaping @Sendable (PostgresConnection) throws(PostgresError) -> Value
  ) async throws(PostgresError) -> Value {
    let result = await withCheckedContinuation {
      (continuation: CheckedContinuation<Result<Value, PostgresError>, Never>) in
      queue.async {
        continuation.resume(returning: Result { () throws(PostgresError) in try self.performNow(body) })
      }
    }
    return try result.get()
  }

  private func performNow<Value>(
    _ body: (PostgresConnection) throws(PostgresError) -> Value
  ) throws(PostgresError) -> Value {
    if let used = connection {
      do throws(PostgresError) {
        return try body(used)
      } catch {
        connection = nil
        guard used.isLost || error.endsConnection else { throw error }
      }
    }
    let new = try PostgresConnection(settings)
    let value = try body(new)
    connection = new
    return value
  }
}
