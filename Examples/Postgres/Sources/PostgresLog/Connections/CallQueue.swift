internal import Dispatch

/// The calls of a log, one at a time, on the one connection that they share.
///
/// - One, because a client asks one thing after the other, and a connection is a process of the server.
/// - It is opened by the first call, and opened anew after a failure. A call that finds it lost is tried once more on a new
///   one: the server may have closed it long ago, and to ask twice is safe for each call of a log.
/// - The queue's thread waits for the server, and no thread of Swift's tasks.
package final class CallQueue: @unchecked Sendable {
  // Sendable because all is constant and sendable but the connection, which is used on the queue alone.

  private let settings: ConnectionSettings
  private let queue = DispatchQueue(label: "arbor.postgres-log.calls")
  private var connection: PostgresConnection?

  package init(_ settings: ConnectionSettings) {
    self.settings = settings
  }

  /// Asks something.
  ///
  /// - Parameter hint: A query that is sent together with that, and whose failure is none of the call.
  package func ask(_ query: PostgresQuery, with hint: PostgresQuery? = nil) async throws(PostgresError) -> PostgresRows
  {
    try await perform { connection throws(PostgresError) in
      try connection.perform([query] + (hint.map { [$0] } ?? []))[0].get()
    }
  }

  /// Throws if the schema of the logs belongs to a role that is not trusted.
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
