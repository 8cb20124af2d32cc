/// The program's options.
package struct Options: Equatable, Sendable {
  package static let usage = """
    usage: board [--name NAME] [--log postgres://… [--owner ROLE]] [--folder PATH]
      --name NAME    your name, as other people see it (default: the name of your account)
      --log URL      the database of the log, for people on many machines (default: a file, for people on this one)
      --owner ROLE   the role that owns the database's tables, if you trust it (default: the role that connects)
      --folder PATH  the folder for the file, and for your unsent changes (default: a folder in your home folder)
    In a terminal, the board fills the screen. Otherwise, it reads commands from standard input; type "help".
    """

  /// The maximum number of bytes of a name, which is also used for a folder.
  private static let longestName = 60

  /// The name of this person; nil for the name of the account.
  package var name: String?

  /// The address of a database; nil for a log in the folder.
  package var log: String?

  /// The role that owns the tables of the database; nil for the connecting role.
  package var owner: String?

  /// The path of the folder; nil for the default one.
  package var folder: String?
  package var wantsHelp = false

  package init() {}

  /// Reads the arguments.
  package init(_ arguments: [String]) throws(OptionsError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      func value() throws(OptionsError) -> String {
        let value = parts.count > 1 ? parts[1] : rest.popFirst()
        guard let value, !value.isEmpty else { throw .missingValue(parts[0]) }
        return value
      }
      switch parts[0] {
      case "--name": name = try Self.name(value())
      case "--log": log = try Self.log(value())
      case "--owner": owner = try value()
      case "--folder": folder = try value()
      case "--help" where parts.count == 1, "-h" where parts.count == 1: wantsHelp = true
      case let word where word.hasPrefix("-"): throw .unknownOption(word)
      default: throw .unexpected(argument)
      }
    }
  }

  private static func name(_ value: String) throws(OptionsError) -> String {
    let name = TextField(value).trimmed
    guard !name.isEmpty, name == value, name.utf8.count <= longestName else { throw .notAName(value) }
    return name
  }

  private static func log(_ value: String) throws(OptionsError) -> String {
    guard value.hasPrefix("postgres://") || value.hasPrefix("postgresql://") else { throw .notALog(value) }
    return value
  }
}

/// The reason why arguments are invalid.
package enum OptionsError: Error, Equatable, CustomStringConvertible {
  case unknownOption(String)
  case missingValue(String)
  case unexpected(String)
  case notAName(String)
  case notALog(String)

  package var description: String {
    switch self {
    case .unknownOption(let option): "unknown option \(option)"
    case .missingValue(let option): "\(option) needs a value"
    case .unexpected(let word): "unexpected argument \"\(word)\""
    case .notAName(let name):
      "\"\(name)\" is not a valid name: use 1 to 60 bytes, without control characters or spaces at its ends"
    case .notALog: "--log needs an address that begins with postgres:// or postgresql://"
    }
  }
}
