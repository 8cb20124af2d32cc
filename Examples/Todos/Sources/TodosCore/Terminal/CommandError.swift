/// The reason why a line of the input is not a command.
enum CommandError: Error, Equatable, CustomStringConvertible {
  case unknown(String)
  case missing(String, command: String)
  case unexpected(String, command: String)
  case notAnID(String)
  case notAFilter(String)

  var description: String {
    switch self {
    case .unknown(let name): "unknown command \"\(name)\"; try help"
    case .missing(let what, let name): "\(name) needs \(what)"
    case .unexpected(let argument, let name): "unexpected argument \"\(argument)\" for \(name)"
    case .notAnID(let argument): "\"\(argument)\" is not an ID"
    case .notAFilter(let argument): "\"\(argument)\" is not all, active or done"
    }
  }
}
