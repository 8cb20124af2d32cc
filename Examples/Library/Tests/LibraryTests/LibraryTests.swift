import ArborEntities
import Testing

@testable import LibraryCore

@Suite struct LibraryTests {
  private var library: Library

  init() throws {
    library = try .sample()
  }

  @Test func `there is one author for each name`() {
    #expect(library.authors.map(\.name) == ["Herman Melville", "Charlotte Brontë"])
    #expect(library.books.find(1)?.author == library.books.find(3)?.author)
    #expect(library.books.find(1)?.author != library.books.find(2)?.author)
  }

  @Test mutating func `an id that is taken adds neither book nor author`() {
    let before = library
    #expect(throws: EntityError<Book>.exists(2)) {
      try library.add(CatalogueEntry(id: 2, title: "Walden", author: "Henry David Thoreau", year: 1854))
    }
    #expect(library == before)
  }

  @Test func `an author's books are shown by title`() throws {
    #expect(try library.books(byAuthor: "Herman Melville").map(\.title) == ["Moby-Dick", "Typee"])
    #expect(throws: LibraryError.noAuthor("Melville")) { try library.books(byAuthor: "Melville") }
  }

  @Test(
    arguments: [
      ("melville", ["Moby-Dick", "Typee"]), ("BRONTE", ["Villette"]), ("y", ["Moby-Dick", "Typee"]),
      ("e", ["Moby-Dick", "Typee", "Villette"]), ("walden", []),
    ]
  )
  func `books are found by title and author, ignoring case and accents`(text: String, titles: [String]) {
    #expect(library.books(matching: text).map(\.title) == titles)
  }

  @Test mutating func `loans are overdue after their day, the oldest first`() throws {
    try library.lend(1, to: "Ann", until: .march(10))
    try library.lend(2, to: "Bob", until: .march(5))
    try library.lend(3, to: "Cleo", until: .march(5))
    #expect(library.loans(dueBefore: .march(5)).isEmpty)
    #expect(library.loans(dueBefore: .march(10)).map(\.person) == ["Bob", "Cleo"])
    #expect(library.loans(dueBefore: .march(11)).map(\.person) == ["Bob", "Cleo", "Ann"])
  }

  @Test mutating func `a book is shown with its author and its borrower`() throws {
    try library.add(CatalogueEntry(id: 4, title: "Mardi", author: "Herman Melville", year: 1849))
    try library.lend(4, to: "Ann", until: .march(10))
    #expect(
      library.books.map(library.line) == [
        "[3] Typee, by Herman Melville (1846)",
        "[1] Moby-Dick, by Herman Melville (1851)",
        "[2] Villette, by Charlotte Brontë",
        "[4] Mardi, by Herman Melville (1849); Ann has it until 2026-03-10",
      ]
    )
    #expect(library.loans.map(library.line) == ["[4] Mardi: Ann had it until 2026-03-10"])
  }
}
