internal import CPostgres
internal import Foundation

/// Waiting for the server.
extension PostgresConnection {
  /// The descriptor that receives the server's messages.
  var descriptor: Int32 { PQsocket(connection) }

  /// Returns the next result; nil after the last one of a query.
  func nextResult() throws(PostgresError) -> OpaquePointer? {
    while PQisBusy(connection) != 0 {
      try wait()
      try require(PQconsumeInput(connection))
    }
    let result = PQgetResult(connection)
    if result == nil, isLost { throw failure }
    return result
  }

  /// Returns the payloads of the received notifications, after the descriptor has become readable.
  func notifications() throws(PostgresError) -> [String] {
    try require(PQconsumeInput(connection))
    var payloads: [String] = []
    while let notification = PQnotifies(connection) {
      payloads.append(String(cString: notification.pointee.extra))
      PQfreemem(notification)
    }
    return payloads
  }

  /// Sends all pending data, and receives data in the meantime, so that the server can continue.
  func flush() throws(PostgresError) {
    while true {
      let rest = PQflush(connection)
      if rest == 0 { return }
      try require(rest == 1 ? 1 : 0)
      if try wait(orToWrite: true) { try require(PQconsumeInput(connection)) }
    }
  }

  /// Waits until data was received, or until data can be written.
  ///
  /// - Returns: `true` if data was received.
  @discardableResult
  private func wait(orToWrite isWriting: Bool = false) throws(PostgresError) -> Bool {
    guard descriptor >= 0 else { throw failure }
    var wanted = pollfd(fd: descriptor, events: Int16(POLLIN | (isWriting ? POLLOUT : 0)), revents: 0)
    while true {
      let count = poll(&wanted, 1, patience)
      if count > 0 { return Int32(wanted.revents) & ~POLLOUT != 0 }
      guard count < 0 else { throw .connection("the server was silent for \(patience / 1000) seconds") }
      guard errno == EINTR else { throw .connection(String(cString: strerror(errno))) }
    }
  }

  /// Throws libpq's error if a call wasn't successful.
  func require(_ success: Int32) throws(PostgresError) {
    guard success == 1 else { throw failure }
  }
}
