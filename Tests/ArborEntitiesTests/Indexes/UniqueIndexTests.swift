import ArborEntities
import Testing

@Suite("Unique indexes")
struct UniqueIndexTests {
  @Test func `a record is found by its key as long as it has the key`() throws {
    var books = try Book.table()
    #expect(books[Book.byISBN, "w"] == .walden)
    #expect(books[Book.byISBN, "x"] == nil)
    try books.update(1) { $0.isbn = "x" }
    #expect(books[Book.byISBN, "w"] == nil)
    #expect(books[Book.byISBN, "x"]?.id == 1)
    books.remove(1)
    #expect(books[Book.byISBN, "x"] == nil)
    try books.insert(Book(id: 9, title: "Another", isbn: "x"))
    #expect(books[Book.byISBN, "x"]?.id == 9)
  }

  @Test func `any number of records may have no key`() throws {
    var books = try Book.table()
    try books.updateAll { $0.isbn = nil }
    #expect(books[Book.byISBN, "w"] == nil)
    try books.update(4) { $0.isbn = "w" }
    #expect(books[Book.byISBN, "w"]?.id == 4)
    books.checkInvariants()
  }

  @Test func `an insertion with one duplicate key inserts nothing, even into an empty table`() throws {
    let many = (10..<1_000).map { Book(id: .init($0), title: "", isbn: "\($0)") }
    let spoilt = many + [Book(id: 1_000, title: "", isbn: "500")]
    for var books in [try Book.table(), EntityTable()] {
      expectUnchanged(&books, after: EntityError<Book>.duplicateKey("500", of: 1_000, owner: 500)) { books in
        try books.insert(contentsOf: spoilt)
      }
      #expect(books[Book.byISBN, "500"] == nil)
      try books.insert(contentsOf: many)
      #expect(books[Book.byISBN, "500"]?.id == 500)
    }
  }

  @Test func `records rotate their keys in a circle`() throws {
    var books = try EntityTable((0..<100).map { Book(id: .init($0), title: "", isbn: "\($0)") })
    try books.updateAll { $0.isbn = "\(($0.id.rawValue + 1) % 100)" }
    for number in 0..<100 { #expect(books[Book.byISBN, "\((number + 1) % 100)"]?.id.rawValue == number) }
    books.checkInvariants()
  }
}
