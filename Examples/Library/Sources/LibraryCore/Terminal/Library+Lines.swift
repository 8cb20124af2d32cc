import ArborEntities

extension Library {
  /// A book, as the line that shows it.
  func line(of book: Book) -> String {
    // A book's author is never removed.
    let author = authors[book.author]!.name
    let year = book.year.map { " (\($0))" } ?? ""
    let loan = loans[book.id].map { "; \($0.person) has it until \($0.due)" } ?? ""
    return "[\(book.id.rawValue)] \(book.title), by \(author)\(year)\(loan)"
  }

  /// A loan, as the line that shows it.
  func line(of loan: Loan) -> String {
    // A book that is lent is never removed.
    "[\(loan.id.rawValue)] \(books[loan.id]!.title): \(loan.person) had it until \(loan.due)"
  }
}
