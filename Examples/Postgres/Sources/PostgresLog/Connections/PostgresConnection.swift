internal import CPostgres
internal import Foundation

/// A connection to a server.
///
/// - It blocks the calling thread as long as the server shows signs of life. Never call it on a thread of Swift's tasks.
/// - Use it from one thread at a time.
package final class PostgresConnection: @unchecked Sendable {
  // Sendable because each has one owner, which uses it only on its own queue.

  let connection: OpaquePointer
  private let owners: Set<String>?

  /// The names of the queries that the server has prepared, by their text.
  private var names: [String: String] = [:]
  private var nameCount = 0

  /// The maximum time for which the server may neither send nor receive, in milliseconds.
  private(set) var patience: Int32 = 60_000

  /// Opens a connection.
  package init(_ settings: ConnectionSettings) throws(PostgresError) {
    connection = try Self.open(settings)
    owners = settings.owners
    guard PQsetnonblocking(connection, 1) == 0 else { throw failure }
    try perform(.searchPath)
    let limit = try perform(.prologue).number(1) ?? 0
    let margin = Int(settings.margin / .milliseconds(1))
    // The server would treat a negative number as no limit.
    patience = Int32(clamping: max(limit + margin, 1))
    try requireOwners()
  }

  /// Throws if an untrusted role could run its code with this role's rights.
  ///
  /// A role can do so if it owns the schema of the logs or something in it, may create something in it, or may add a trigger.
  func requireOwners() throws(PostgresError) {
    guard let owners else { return }
    let found = try perform(.owners)
    for row in 0..<found.count {
      guard let role = found.text(0, of: row), !owners.contains(role) else { continue }
      throw .owner(role)
    }
  }

  deinit {
    PQfinish(connection)
  }

  /// `true` if the connection is lost.
  var isLost: Bool { PQstatus(connection) != CONNECTION_OK }

  /// The error with libpq's text about the last failure.
  var failure: PostgresError { .connection(PostgresError.line(of: String(cString: PQerrorMessage(connection)))) }

  /// Performs a query in a separate transaction.
  @discardableResult
  package func perform(_ query: PostgresQuery) throws(PostgresError) -> PostgresRows {
    try perform([query])[0].get()
  }

  /// Performs queries, each in a separate transaction, with one round trip for all.
  ///
  /// - Returns: The answer to each query. If one query fails, the others are still performed.
  func perform(_ queries: [PostgresQuery]) throws(PostgresError) -> [Result<PostgresRows, PostgresError>] {
    try require(PQenterPipelineMode(connection))
    var sent: [String] = []
    for query in queries { sent.append(try send(query)) }
    try flush()
    var answers: [Result<PostgresRows, PostgresError>] = []
    for (query, name) in zip(queries, sent) {
      let answer = try answer()
      if case .success = answer { names[query.text] = name }
      answers.append(answer)
    }
    try require(PQexitPipelineMode(connection))
    return answers
  }

  /// Runs a script, which may have several statements.
  package func run(_ script: String) throws(PostgresError) {
    try require(PQsendQuery(connection, script))
    try flush()
    var failure: PostgresError?
    while let result = try nextResult() {
      failure = failure ?? PostgresRows(result).failure
    }
    if let failure { throw failure }
  }

  /// Sends a query, and prepares it first if necessary.
  ///
  /// - Returns: The query's name at the server.
  private func send(_ query: PostgresQuery) throws(PostgresError) -> String {
    let types = query.values.map(\.type)
    let known = names[query.text]
    let name = known ?? "q\(nameCount)"
    if known == nil {
      nameCount += 1
      try require(PQsendPrepare(connection, name, query.text, Int32(types.count), types))
    }
    let lengths = query.values.map { Int32($0.bytes.count) }
    let formats = types.map { _ in Int32(1) }
    // All values are in one array, so that each has a stable address.
    let bytes = query.values.flatMap(\.bytes) + [0]
    let isSent = bytes.withUnsafeBytes { buffer in
      var offset = 0
      let addresses = lengths.map { length in
        defer { offset += Int(length) }
        return buffer.baseAddress?.advanced(by: offset).assumingMemoryBound(to: CChar.self)
      }
      return PQsendQueryPrepared(connection, name, Int32(types.count), addresses, lengths, formats, 1)
    }
    try require(isSent)
    try require(PQpipelineSync(connection))
    return name
  }

  /// Returns the answer to the first sent query that has no answer yet.
  private func answer() throws(PostgresError) -> Result<PostgresRows, PostgresError> {
    var answer: Result<PostgresRows, PostgresError>?
    var emptyCount = 0
    while emptyCount < 2 {
      guard let result = try nextResult() else {
        // This occurs between two results. It only occurs again if the connection is out of step.
        emptyCount += 1
        continue
      }
      emptyCount = 0
      let rows = PostgresRows(result)
      if rows.isEndOfQuery, let answer { return answer }
      if case .failure = answer { continue }
      answer = rows.failure.map { .failure($0) } ?? .success(rows)
    }
    throw .connection("the server's answers are out of order")
  }
}
