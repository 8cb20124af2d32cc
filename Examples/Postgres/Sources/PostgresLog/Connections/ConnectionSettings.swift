internal import CPostgres
internal import Foundation

/// The settings of a connection: those of the user, in all ways that libpq knows, and defaults where there are none.
package struct ConnectionSettings: Sendable {
  /// The defaults by which a connection that is dead, or a server that is, is noticed.
  private static let defaults = [
    ("connect_timeout", "10"),
    ("keepalives_idle", "10"),
    ("keepalives_interval", "5"),
    ("keepalives_count", "3"),
    ("tcp_user_timeout", "20000"),
    ("fallback_application_name", "arbor"),
  ]

  private let text: String

  /// The longest time for which the server may send nothing, beyond the time that it has for a statement.
  let margin: Duration

  /// The roles, besides that of the connection, to which the schema of the logs and everything in it may belong; nil if it
  /// may belong to any role.
  let owners: Set<String>?

  /// - Parameter text: A URL, or keywords and values, of libpq.
  package init(_ text: String, owners: Set<String>? = nil, margin: Duration = .seconds(15)) {
    self.text = text
    self.owners = owners
    self.margin = margin
  }

  /// The keywords and values to connect with.
  ///
  /// - The user's may be in the text, in a service's file, or in the environment.
  func parameters() throws(PostgresError) -> [(keyword: String, value: String)] {
    try requireForm()
    let known = try knownKeywords()
    let defaults = Self.defaults.filter { !known.contains($0.0) }
    // Texts are of that encoding here.
    return [("dbname", text)] + defaults.map { (keyword: $0.0, value: $0.1) } + [("client_encoding", "UTF8")]
  }

  private func requireForm() throws(PostgresError) {
    guard !text.utf8.contains(0) else { throw .settings("the connection string contains the character NUL") }
    var message: UnsafeMutablePointer<CChar>?
    guard let options = PQconninfoParse(text, &message) else {
      defer { PQfreemem(message) }
      let reason = message.map { Self.withoutQuotations(PostgresError.line(of: String(cString: $0))) } ?? "no memory"
      throw .settings("the connection string cannot be read: \(reason)")
    }
    defer { PQconninfoFree(options) }
    // In a URL whose password has a slash that is not escaped, a part of the password is where the port should be.
    let ports = Self.values(of: options)["port"]?.split(separator: ",") ?? []
    guard ports.allSatisfy({ UInt16($0) ?? 0 > 0 }) else {
      throw .settings("the connection string cannot be read: the port is not a number")
    }
  }

  /// The text without what is quoted in it, which may be a part of a password.
  package static func withoutQuotations(_ text: String) -> String {
    guard let first = text.firstIndex(of: "\""), let last = text.lastIndex(of: "\"") else { return text }
    return text[..<first] + "…" + text[text.index(after: last)...]
  }

  /// The keywords that have a value by the user.
  private func knownKeywords() throws(PostgresError) -> Set<String> {
    // No port has that number: libpq collects all values, and then finds that it cannot connect.
    let connection = Self.withCStrings([("dbname", text), ("port", "0")]) { PQconnectStartParams($0, $1, 1) }
    defer { PQfinish(connection) }
    guard let options = PQconninfo(connection) else { throw .connection("no memory") }
    defer { PQconninfoFree(options) }
    return Set(Self.values(of: options).keys)
  }

  /// The values that are not empty, by their keywords.
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

  /// Lends keywords and values as libpq takes them.
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
