internal import CPostgres

extension PostgresConnection {
  /// Connects to a server.
  ///
  /// - Returns: The connection, which the caller must end.
  static func open(_ settings: ConnectionSettings) throws(PostgresError) -> OpaquePointer {
    let parameters = try settings.parameters()
    let opened = ConnectionSettings.withCStrings(parameters) { PQconnectdbParams($0, $1, 1) }
    guard let connection = opened else { throw .connection("out of memory") }
    // By default, notices are printed.
    PQsetNoticeProcessor(connection, { _, _ in }, nil)
    if PQstatus(connection) == CONNECTION_OK { return connection }
    let failure = failure(of: connection)
    if PQstatus(connection) == CONNECTION_OK { return connection }
    PQfinish(connection)
    throw failure
  }

  /// Returns the reason why there is no connection. This may connect again, and succeed.
  private static func failure(of connection: OpaquePointer) -> PostgresError {
    let message = String(cString: PQerrorMessage(connection))
    let reason = PostgresError.line(of: message)
    if PQconnectionNeedsPassword(connection) != 0 { return .server(code: "28P01", reason) }
    // A message of a server, in its language, has two spaces after the severity. Its code is only in verbose messages,
    // which cannot be requested before there is a connection.
    guard message.contains(":  ") else { return .connection(reason) }
    PQsetErrorVerbosity(connection, PQERRORS_VERBOSE)
    PQreset(connection)
    let codes = codes(in: String(cString: PQerrorMessage(connection)))
    PQsetErrorVerbosity(connection, PQERRORS_DEFAULT)
    // There may be several servers, or one that was tried with and without encryption.
    guard let code = codes.first(where: PostgresError.isTransient) ?? codes.last else { return .connection(reason) }
    return .server(code: code, reason)
  }

  /// Returns the codes in verbose messages, such as "FATAL:  28P01: password authentication failed".
  package static func codes(in message: String) -> [String] {
    message.split(separator: ":  ").dropFirst().compactMap { rest in
      let code = rest.prefix(5)
      let isCode = code.allSatisfy { $0.isASCII && ($0.isNumber || $0.isUppercase) }
      return isCode && rest.dropFirst(5).first == ":" ? String(code) : nil
    }
  }
}
