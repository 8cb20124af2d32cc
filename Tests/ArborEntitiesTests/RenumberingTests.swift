import ArborEntities
import Testing

/// The slots of a table are numbers that are never reused during its lifetime. When they run out, it renumbers its
/// records.
@Suite("Tables at the end of their slots")
struct RenumberingTests {
  @Test(arguments: 0...3)
  func `a table at the end of its slots keeps all its records`(left: Int) throws {
    var books = try Book.table()
    try books.append(3, to: Book.desk)
    books.remove(2)
    books.skipSlots(leaving: left)
    let before = books
    for number in 10..<20 { try books.insert(Book(id: .init(number), title: "title \(number)", isbn: "\(number)")) }
    #expect(Array(books.ids) == [1, 3, 4] + (10..<20).map { Book.ID($0) })
    #expect(books[Book.byTitle].map(\.title) == books.map(\.title).sorted())
    #expect(books[Book.shelf].ids == [1])
    #expect(books[Book.desk].ids == [3])
    #expect(books[Book.byISBN, "15"]?.id == 15)
    #expect([1, 3, 4].allSatisfy { books.stamp(of: $0) == before.stamp(of: $0) })
    books.checkInvariants()
    before.checkInvariants()
    #expect(Array(before.ids) == [1, 3, 4])
    let difference = books.difference(from: before)
    #expect(difference.inserted == (10..<20).map { Book.ID($0) })
    #expect(difference.removed.isEmpty)
    #expect(difference.updated.isEmpty)
    var again = books
    for number in 10..<20 { again.remove(.init(number)) }
    #expect(again == before)
  }

  @Test func `a bulk insertion passes the end of the slots`() throws {
    var books = try Book.table()
    books.skipSlots(leaving: 3)
    try books.insert(contentsOf: (10..<20).map { Book(id: .init($0), title: "") })
    books.skipSlots(leaving: 3)
    try books.upsert(contentsOf: (15..<30).map { Book(id: .init($0), title: "new", isbn: "\($0)") })
    #expect(Array(books.ids) == [1, 2, 3, 4] + (10..<30).map { Book.ID($0) })
    #expect(books[Book.byTitle, "new"..."new"].count == 15)
    #expect(books[Book.shelf].ids == [2, 1])
    books.checkInvariants()
  }

  @Test func `a bulk insertion that fails after the end of the slots changes nothing`() throws {
    var books = try Book.table()
    books.skipSlots(leaving: 1)
    let many = (10..<20).map { Book(id: .init($0), title: "") } + [Book(id: 20, title: "", isbn: "w")]
    let failure = EntityError<Book>.duplicateKey("w", of: 20, owner: 1)
    expectUnchanged(&books, after: failure) { try $0.insert(contentsOf: many) }
    expectUnchanged(&books, after: failure) { try $0.upsert(contentsOf: many) }
  }

  @Test func `a table emptied near the end of its slots is filled again`() throws {
    var books = try Book.table()
    books.skipSlots(leaving: 2)
    try books.insert(Book(id: 9, title: ""))
    for id in Array(books.ids) { books.remove(id) }
    let before = books
    try books.insert(contentsOf: (10..<200).map { Book(id: .init($0), title: "", isbn: "\($0)") })
    #expect(books.count == 190)
    #expect(books[15]?.isbn == "15")
    #expect(books[Book.byISBN, "150"]?.id == 150)
    #expect(books.difference(from: before).inserted.count == 190)
    books.checkInvariants()
  }
}
