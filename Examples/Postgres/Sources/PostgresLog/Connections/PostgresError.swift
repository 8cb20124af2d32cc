package import ArborSync

/// An error of a connection, or of a call on it.
package enum PostgresError: Error, Hashable, Sendable {
  /// The connection has failed, or the server's answer is unreadable.
  case connection(String)

  /// The server has reported an error with a code (SQLSTATE).
  case server(code: String, String)

  /// The settings of the connection are invalid for any server.
  case settings(String)

  /// The schema of the logs, or something in it, belongs to an untrusted role, or such a role may add code to it.
  case owner(String)

  /// `true` if the tables and functions of logs don't exist.
  var isMissingSchema: Bool {
    guard case .server(let code, _) = self else { return false }
    return ["3F000", "42P01", "42883"].contains(code)
  }

  /// `true` if a role lacks a right for the call.
  var isMissingRight: Bool {
    guard case .server("42501", _) = self else { return false }
    return true
  }

  /// `true` if the server has ended the connection, or is ending it.
  var endsConnection: Bool {
    guard case .server(let code, _) = self else { return false }
    return code.hasPrefix("57P")
  }

  /// Returns `true` for the code of a temporary error, which may pass on its own or after an administrator's help.
  ///
  /// Examples are a lost connection, a conflict with other clients, and a time limit; or a server that starts, shuts down, is
  /// temporarily read-only or has no room.
  static func isTransient(_ code: String) -> Bool {
    // An internal error is unexpected. For damage, the server reports XX001 and XX002.
    ["08", "25", "26", "40", "53", "55", "57", "58"].contains(code.prefix(2)) || code == "XX000"
  }

  /// Returns the text in one line.
  static func line(of text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}

extension LogError {
  /// Makes the error of a call.
  package init(_ error: PostgresError) {
    switch error {
    case .connection(let reason): self = .unreachable(reason)
    case .settings(let reason): self = .refused(reason)
    case .owner(let role):
      self = .refused(
        "the role \(role) owns the schema arbor or something in it, or may add code to it, and that code would run with this "
          + "role's rights: name it as an owner if you trust it"
      )
    case .server(let code, let reason):
      if error.isMissingSchema {
        self = .anotherLog(nil)
      } else {
        self = PostgresError.isTransient(code) ? .unreachable(reason) : .refused(reason)
      }
    }
  }
}

extension LogError {
  /// Makes the error of creating the tables.
  init(migration error: PostgresError) {
    self.init(error)
    guard case .server(_, let reason) = error else { return }
    if error.isMissingRight {
      self = .refused(
        "there are no tables for logs, and this role may not create them (\(reason)): an administrator must run migration.sql"
      )
    } else if error.isMissingSchema {
      // A server of another version lacks a feature.
      self = .refused(reason)
    }
  }
}
