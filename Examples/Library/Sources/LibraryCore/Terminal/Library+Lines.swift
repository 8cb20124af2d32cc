import ArborEntities

extension Library {
  /// The line that shows a book.
  func line(of book: Book) -> String {
    // A book's author is never removed.
    let author = authors[book.author]!.name
    let year = book.year.map { " (\($0))" } ?? ""
    let loan = loans[book.id].map { "; \($0.person) has it until \($0.due)" } ?? ""
    return "[\(book.id.rawValue)] \(book.title), by \(author)\(year)\(loan)"
  }

  /// The line that shows a loan.
  func line(of loan: Loan) -> String {
    let title = books[loan.id]?.title ?? "a book that is not in the catalog"
    return "[\(loan.id.rawValue)] \(title): \(loan.person) had it until \(loan.due)"
  }

  /// The loans of books that are not in the catalog, each as a sentence.
  var linesOfMissingBooks: [String] {
    loansOfMissingBooks.map { loan in
      "book \(loan.id.rawValue), which \(loan.person) has until \(loan.due), is not in the catalog"
    }
  }
}
