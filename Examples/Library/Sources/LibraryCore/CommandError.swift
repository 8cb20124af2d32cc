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
    case .unexpected(let argument, let name): "\(name) takes nothing after it, but there is \"\(argument)\""
    case .notABook(let argument): "\"\(argument)\" is not the number of a book"
    case .notADay(let argument): "\"\(argument)\" is not a date such as 2026-03-01"
    case .notDays(let days, let possible):
      "a book is lent for \(possible.lowerBound) to \(possible.upperBound) days, not \(days)"
    }
  }
}
