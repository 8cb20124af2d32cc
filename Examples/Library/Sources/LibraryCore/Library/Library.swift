import ArborEntities
import Foundation

/// The database: a struct of tables.
struct Library: Equatable, Sendable {
  var authors = EntityTable<Author>()
  var books = EntityTable<Book>()
  var loans = EntityTable<Loan>()
}

// MARK: - Changes

extension Library {
  /// Adds a book, and its author if it is the first book of that name. If the id is taken, adds neither.
  ///
  /// - The book is added first, so nothing must be undone. A transaction isn't needed; it would keep a copy of the
  ///   tables for each of many thousand books.
  mutating func add(_ entry: CatalogueEntry) throws {
    let known = authors[Author.byName, entry.author]
    // No author is ever removed, so this is a new id.
    let author = known ?? Author(id: Author.ID(authors.count + 1), name: entry.author)
    try books.insert(Book(id: Book.ID(entry.id), title: entry.title, author: author.id, year: entry.year))
    if known == nil { try authors.insert(author) }
  }

  /// Lends a book, and counts the loan. If it is already lent, does neither.
  mutating func lend(_ book: Book.ID, to person: String, until due: Day) throws {
    try withTransaction(&self) { library in
      try library.books.update(book) { $0.timesLent += 1 }
      try library.loans.insert(Loan(id: book, person: person, due: due))
    }
  }
}

// MARK: - Queries

extension Library {
  /// The books with a text in their title or their author's name, by title. Case and accents are ignored.
  func books(matching text: String) -> [Book] {
    func isMatch(_ candidate: String) -> Bool {
      candidate.range(of: text, options: [.caseInsensitive, .diacriticInsensitive]) != nil
    }
    let authors = Set(authors.filter { isMatch($0.name) }.ids)
    return books[Book.byTitle].filter { authors.contains($0.author) || isMatch($0.title) }
  }

  /// The books of an author, by title.
  func books(byAuthor name: String) throws(LibraryError) -> EntityList<Book> {
    guard let author = authors[Author.byName, name] else { throw .noAuthor(name) }
    return books[Book.byAuthor, author.id]
  }

  /// The loans of books that are not in the catalog, because they are from an older or another one.
  var loansOfMissingBooks: [Loan] { loans.filter { !books.contains(id: $0.id) } }

  /// The loans that were due before a day, the oldest first.
  func loans(dueBefore day: Day) -> EntityList<Loan> {
    loans[Loan.byDue, ..<day]
  }
}
