import ArborEntities
import Foundation

/// A command in a line of the input.
enum Command: Equatable {
  case find(String)
  case byAuthor(String)
  case loan(Book.ID, person: String, days: Int)
  case `return`(Book.ID)
  case overdue(Day?)
  case help
  case quit

  /// The output of the `help` command.
  static let overview = """
    find TEXT                  shows the books whose title or author contains the text
    by-author NAME             shows the books of an author, by title
    loan BOOK PERSON [DAYS]    lends a book, for 28 days by default
    return BOOK                returns a book
    overdue [DATE]             shows the loans that were due before today or a date such as 2026-03-01
    help                       shows this list
    quit                       ends the program; without --storage, the loans are lost
    """

  private static let usualDays = 28
  private static let possibleDays = 1...3650

  /// Reads a line; nil if it is blank.
  init?(_ line: String) throws(CommandError) {
    let words = line.split(maxSplits: 1, whereSeparator: \.isWhitespace)
    guard let name = words.first.map(String.init) else { return nil }
    let argument = words.dropFirst().first?.trimmingCharacters(in: .whitespaces) ?? ""

    func required(_ what: String) throws(CommandError) -> String {
      guard !argument.isEmpty else { throw .missing(what, command: name) }
      return argument
    }
    func alone(_ command: Command) throws(CommandError) -> Command {
      guard argument.isEmpty else { throw .unexpected(argument, command: name) }
      return command
    }

    switch name {
    case "find": self = .find(try required("text"))
    case "by-author": self = .byAuthor(try required("a name"))
    case "loan": self = try Command.loan(of: try required("a book"))
    case "return": self = .return(try Command.book(try required("a book")))
    case "overdue": self = .overdue(argument.isEmpty ? nil : try Command.day(argument))
    case "help": self = try alone(.help)
    case "quit": self = try alone(.quit)
    default: throw .unknown(name)
    }
  }

  /// Reads `BOOK PERSON [DAYS]`. A name may have several words; a number at its end is the number of days.
  private static func loan(of argument: String) throws(CommandError) -> Command {
    var words = argument.split(whereSeparator: \.isWhitespace).map(String.init)
    let book = try book(words.removeFirst())
    var days = usualDays
    if words.count > 1, let number = Int(words.last!) {
      guard possibleDays.contains(number) else { throw .notDays(number, possible: possibleDays) }
      days = number
      words.removeLast()
    }
    guard !words.isEmpty else { throw .missing("a person", command: "loan") }
    return .loan(book, person: words.joined(separator: " "), days: days)
  }

  private static func book(_ text: String) throws(CommandError) -> Book.ID {
    guard let number = Int(text) else { throw .notABook(text) }
    return Book.ID(number)
  }

  private static func day(_ text: String) throws(CommandError) -> Day {
    guard let day = Day(text) else { throw .notADay(text) }
    return day
  }
}
