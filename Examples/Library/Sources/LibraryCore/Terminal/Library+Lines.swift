import ArborEntities

extension Library {
  /// A book, on a line of its own.
  func line(of book: Book) -> String {
    // A book's author is never removed.
    let author = authors[book.author]!.name
    let year = book.year.map { " (\($0))" } ?? ""
    let loan = loans[book.id].map { "; \($0.person) has it until \($0.due)" } ?? ""
    return "[\(book.id.rawValue)] \(book.title), by \(author)\(year)\(loan)".onOneLine
  }

  /// A loan, on a line of its own.
  func line(of loan: Loan) -> String {
    // A book that is lent is never removed.
    "[\(loan.id.rawValue)] \(books[loan.id]!.title): \(loan.person) had it until \(loan.due)".onOneLine
  }
}

extension String {
  /// The text with blanks for line ends, and for what else may do something to a terminal.
  fileprivate var onOneLine: String {
    var text = ""
    for scalar in unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: text.unicodeScalars.append(" ")
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
