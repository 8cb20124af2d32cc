import ArborEntities
import Testing

@Suite("Entity errors")
struct EntityErrorTests {
  typealias Failure = EntityError<Book>

  @Test(
    arguments: [
      (.missing(7), "there is no Book(7)"),
      (.exists(7), "Book(7) already exists, or occurs twice"),
      (.notEqualToItself("Book(nan)"), "Book(nan) could never be found, because its id is not equal to itself"),
      (
        .changedID(from: 7, to: 8),
        "the id of Book(7) was changed to Book(8), but ids must not change here"
      ),
      (.notRenamed(7, to: 8), "the closure must give Book(7) the id Book(8), but did not"),
      (.duplicateKey("w", of: 7, owner: 8), "Book(7) would have the key \"w\", which Book(8) already has"),
      (.alreadyInOrder(7), "Book(7) is already in the order"),
      (.notInOrder(7), "Book(7) is not in the order"),
      (.noPosition(3, count: 2), "an order of 2 has no position 3"),
    ] as [(Failure, String)]
  )
  func `each error describes the problem and names the records`(error: Failure, description: String) {
    #expect("\(error)" == description)
  }

  @Test func `a missing record can neither be changed nor renamed`() throws {
    var books = try Book.table()
    expectUnchanged(&books, after: Failure.missing(9)) { try $0.update(9) { $0.title = "" } }
    expectUnchanged(&books, after: Failure.missing(9)) { try $0.update(ids: [1, 9, 2]) { $0.title = "" } }
    expectUnchanged(&books, after: Failure.missing(9)) { try $0.rename([9: 10]) { $0.id = $1 } }
    expectUnchanged(&books, after: Failure.missing(9)) { try $0.rename([9: 9]) { $0.id = $1 } }
  }

  @Test func `an id that is taken cannot be used again`() throws {
    var books = try Book.table()
    let other = Book(id: 1, title: "Another")
    expectUnchanged(&books, after: Failure.exists(1)) { try $0.insert(other) }
    expectUnchanged(&books, after: Failure.exists(1)) { try $0.insert(contentsOf: [Book(id: 8, title: ""), other]) }
    expectUnchanged(&books, after: Failure.exists(1)) { try $0.rename([2: 1]) { $0.id = $1 } }
    expectUnchanged(&books, after: Failure.exists(8)) { try $0.rename([1: 8, 2: 8]) { $0.id = $1 } }
  }

  @Test func `two inserted records cannot have the same id`() throws {
    var books = EntityTable<Book>()
    let twice = [Book.walden, .emma, .persuasion, .emma, .walden]
    expectUnchanged(&books, after: Failure.exists(2)) { try $0.insert(contentsOf: twice) }
    #expect(throws: Failure.exists(2)) { try EntityTable(twice) }
    try books.insert(.middlemarch)
    expectUnchanged(&books, after: Failure.exists(2)) { try $0.insert(contentsOf: twice) }
  }

  @Test func `no closure except that of rename can change an id`() throws {
    var books = try Book.table()
    let failure = Failure.changedID(from: 1, to: 9)
    expectUnchanged(&books, after: failure) { try $0.update(1) { $0.id = 9 } }
    expectUnchanged(&books, after: failure) { try $0.update(ids: [2, 1]) { $0.id = $0.id == 1 ? 9 : $0.id } }
    expectUnchanged(&books, after: failure) { try $0.updateAll { $0.id = 9 } }
    expectUnchanged(&books, after: failure) { try $0.upsert(.walden) { known, _ in known.id = 9 } }
    expectUnchanged(&books, after: failure) { try $0.upsert(contentsOf: [.walden]) { known, _ in known.id = 9 } }
    expectUnchanged(&books, after: failure) { try $0.merge([.walden]) { known, _ in known.id = 9 } }
    expectUnchanged(&books, after: Failure.notRenamed(1, to: 8)) { try $0.rename([1: 8]) { book, _ in book.id = 9 } }
    expectUnchanged(&books, after: Failure.notRenamed(1, to: 8)) { try $0.rename([1: 8]) { _, _ in } }
  }

  @Test func `the error for a taken key names both records`() throws {
    var books = try Book.table()
    let failure = Failure.duplicateKey("w", of: 9, owner: 1)
    let other = Book(id: 9, title: "Another", isbn: "w")
    expectUnchanged(&books, after: failure) { try $0.insert(other) }
    expectUnchanged(&books, after: failure) { try $0.upsert(other) }
    expectUnchanged(&books, after: failure) { try $0.upsert(other) { $0 = $1 } }
    expectUnchanged(&books, after: failure) { try $0.insert(contentsOf: [Book(id: 8, title: ""), other]) }
    expectUnchanged(&books, after: failure) { try $0.upsert(contentsOf: [Book(id: 8, title: ""), other]) }
    expectUnchanged(&books, after: failure) { try $0.merge([Book(id: 8, title: ""), other]) }
    expectUnchanged(&books, after: Failure.duplicateKey("w", of: 2, owner: 1)) { try $0.update(2) { $0.isbn = "w" } }
    expectUnchanged(&books, after: Failure.duplicateKey("x", of: 2, owner: 1)) { try $0.updateAll { $0.isbn = "x" } }
    expectUnchanged(&books, after: Failure.duplicateKey("w", of: 8, owner: 1)) { books in
      try books.rename([2: 8]) {
        $0.id = $1
        $0.isbn = "w"
      }
    }
    var empty = EntityTable<Book>()
    expectUnchanged(&empty, after: failure) { try $0.insert(contentsOf: [.walden, .emma, other]) }
  }

  @Test func `an order refuses duplicates, missing records and missing positions`() throws {
    var books = try Book.table()
    expectUnchanged(&books, after: Failure.missing(9)) { try $0.insert(9, at: 0, in: Book.shelf) }
    expectUnchanged(&books, after: Failure.missing(9)) { try $0.append(9, to: Book.shelf) }
    expectUnchanged(&books, after: Failure.missing(9)) { try $0.move(9, to: 0, in: Book.shelf) }
    expectUnchanged(&books, after: Failure.alreadyInOrder(1)) { try $0.insert(1, at: 0, in: Book.shelf) }
    expectUnchanged(&books, after: Failure.alreadyInOrder(1)) { try $0.append(1, to: Book.shelf) }
    expectUnchanged(&books, after: Failure.notInOrder(3)) { try $0.move(3, to: 0, in: Book.shelf) }
    expectUnchanged(&books, after: Failure.noPosition(3, count: 2)) { try $0.insert(3, at: 3, in: Book.shelf) }
    expectUnchanged(&books, after: Failure.noPosition(-1, count: 2)) { try $0.insert(3, at: -1, in: Book.shelf) }
    expectUnchanged(&books, after: Failure.noPosition(2, count: 2)) { try $0.move(1, to: 2, in: Book.shelf) }
    expectUnchanged(&books, after: Failure.noPosition(-1, count: 2)) { try $0.move(1, to: -1, in: Book.shelf) }
  }

  @Test func `an error of a closure leaves the table unchanged`() throws {
    var books = try Book.table()
    func spoil(_ book: inout Book) throws {
      book.title = "spoilt"
      book.isbn = nil
      if book.id == 3 { throw Refusal() }
    }
    expectUnchanged(&books, after: Refusal()) { try $0.update(3, spoil) }
    expectUnchanged(&books, after: Refusal()) { try $0.update(ids: [1, 2, 3], spoil) }
    expectUnchanged(&books, after: Refusal()) { try $0.updateAll(spoil) }
    expectUnchanged(&books, after: Refusal()) { try $0.upsert(.persuasion) { known, _ in try spoil(&known) } }
    expectUnchanged(&books, after: Refusal()) { books in
      try books.upsert(contentsOf: [Book(id: 9, title: ""), .walden, .persuasion]) { known, _ in try spoil(&known) }
    }
    expectUnchanged(&books, after: Refusal()) { try $0.rename([3: 9]) { book, _ in try spoil(&book) } }
    expectUnchanged(&books, after: Refusal()) { books in
      try books.removeAll { book in
        if book.id == 3 { throw Refusal() }
        return true
      }
    }
    expectUnchanged(&books, after: Refusal()) { _ = try $0.filter { _ in throw Refusal() } }
  }
}
