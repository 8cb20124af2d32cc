/// The reason why a line of the input is not a command.
enum CommandError: Error, Equatable, CustomStringConvertible {
  case unknown(String)
  case missing(String, command: String)
  case unexpected(String, command: String)
  case notABook(String)
  case notADay(String)
  case notDays(Int, possible: ClosedRange<Int>)

  var description: String {
    switch self {
    case .unknown(let name): "unknown command \"\(name)\"; try help"
    case .missing(let what, let name): "\(name) needs \(what)"
    case .unexpected(let argument, let name): "unexpected argument \"\(argument)\" for \(name)"
    case .notABook(let argument): "\"\(argument)\" is not a book's number"
    case .notADay(let argument): "\"\(argument)\" is not a date; write it like 2026-03-01"
    case .notDays(let days, let possible):
      "a book can be lent for \(possible.lowerBound) to \(possible.upperBound) days, not \(days)"
    }
  }
}
