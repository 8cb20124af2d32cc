internal import CPostgres
internal import Foundation

/// The settings of a connection: the user's, in all forms that libpq supports, and defaults for the others.
package struct ConnectionSettings: Sendable {
  /// The defaults for detecting a dead connection or server.
  private static let defaults = [
    ("connect_timeout", "10"),
    ("keepalives_idle", "10"),
    ("keepalives_interval", "5"),
    ("keepalives_count", "3"),
    ("tcp_user_timeout", "20000"),
    ("fallback_application_name", "arbor"),
  ]

  private let text: String

  /// The maximum time for which the server may be silent, in addition to its time limit for a statement.
  let margin: Duration

  /// The roles that may own the schema of the logs and its content, in addition to the connection's role; nil if every
  /// role may.
  let owners: Set<String>?

  /// - Parameter text: A URL, or keywords and values, of libpq.
  package init(_ text: String, owners: Set<String>? = nil, margin: Duration = .seconds(15)) {
    self.text = text
    self.owners = owners
    self.margin = margin
  }

  /// Returns the keywords and values to connect with.
  ///
  /// - The user's settings may be in the text, in a service file, or in the environment.
  func parameters() throws(PostgresError) -> [(keyword: String, value: String)] {
    try requireForm()
    let known = try knownKeywords()
    let defaults = Self.defaults.filter { !known.contains($0.0) }
    // The program's texts have this encoding.
    return [("dbname", text)] + defaults.map { (keyword: $0.0, value: $0.1) } + [("client_encoding", "UTF8")]
  }

  private func requireForm() throws(PostgresError) {
    guard !text.utf8.contains(0) else { throw .settings("the connection string contains the character NUL") }
    var message: UnsafeMutablePointer<CChar>?
    guard let options = PQconninfoParse(text, &message) else {
      defer { PQfreemem(message) }
      let reason =
        message.map { Self.withoutQuotations(PostgresError.line(of: String(cString: $0))) } ?? "out of memory"
      throw .settings("the connection string cannot be read: \(reason)")
    }
    defer { PQconninfoFree(options) }
    // In a URL whose password has an unescaped slash, a part of the password is where the port should be.
    let ports = Self.values(of: options)["port"]?.split(separator: ",") ?? []
    guard ports.allSatisfy({ UInt16($0) ?? 0 > 0 }) else {
      throw .settings("the connection string cannot be read: the port is not a number")
    }
  }

  /// Returns the text without its quotations, which may be parts of a password.
  package static func withoutQuotations(_ text: String) -> String {
    guard let first = text.firstIndex(of: "\""), let last = text.lastIndex(of: "\"") else { return text }
    return text[..<first] + "…" + text[text.index(after: last)...]
  }

  /// Returns the keywords for which the user has set a value.
  private func knownKeywords() throws(PostgresError) -> Set<String> {
    // No connection can use port 0: libpq collects all values, and then finds that it cannot connect.
    let connection = Self.withCStrings([("dbname", text), ("port", "0")]) { PQconnectStartParams($0, $1, 1) }
    defer { PQfinish(connection) }
    guard let options = PQconninfo(connection) else { throw .connection("out of memory") }
    defer { PQconninfoFree(options) }
    return Set(Self.values(of: options).keys)
  }

  /// Returns the nonempty values, by their keywords.
  private static func values(of options: UnsafeMutablePointer<PQconninfoOption>) -> [String: String] {
    var values: [String: String] = [:]
    var option = options
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val, value.pointee != 0 {
        values[String(cString: keyword)] = String(cString: value)
      }
      option += 1
    }
    return values
  }

  /// Passes keywords and values to a body, in the form that libpq expects.
  static func withCStrings<Value>(
    _ parameters: [(keyword: String, value: String)],
    _ body: (_ keywords: [UnsafePointer<CChar>?], _ values: [UnsafePointer<CChar>?]) -> Value
  ) -> Value {
    let copies = parameters.map { (strdup($0.keyword), strdup($0.value)) }
    defer {
      for copy in copies {
        free(copy.0)
        free(copy.1)
      }
    }
    return body(copies.map { UnsafePointer($0.0) } + [nil], copies.map { UnsafePointer($0.1) } + [nil])
  }
}
