import ArborEntities
import TestSupport
import Testing

@Suite("Manual orders")
struct ManualOrderTests {
  private var books: EntityTable<Book>

  init() throws {
    books = try EntityTable((0..<10).map { Book(id: .init($0), title: "\($0)") })
    for id in [3, 1, 4, 5] as [Book.ID] { try books.append(id, to: Book.shelf) }
  }

  @Test func `records are at the positions where they were inserted`() throws {
    var books = books
    #expect(books[Book.shelf].ids == [3, 1, 4, 5])
    try books.insert(9, at: 0, in: Book.shelf)
    try books.insert(2, at: 2, in: Book.shelf)
    try books.insert(6, at: 6, in: Book.shelf)
    #expect(books[Book.shelf].ids == [9, 3, 2, 1, 4, 5, 6])
    #expect(books[Book.shelf][2].title == "2")
  }

  @Test func `an order is found by its name`() throws {
    var books = books
    #expect(books[.named("shelf")].ids == [3, 1, 4, 5])
    try books.append(9, to: .named("desk"))
    #expect(books[Book.desk].ids == [9])
    #expect(ManualOrder<Book>.named("desk").name == "desk")
  }

  @Test(arguments: 0..<4, 0..<4)
  func `a moved record is at the given position`(from: Int, to: Int) throws {
    var books = books
    var ids = books[Book.shelf].ids
    let id = ids.remove(at: from)
    ids.insert(id, at: to)
    try books.move(id, to: to, in: Book.shelf)
    #expect(books[Book.shelf].ids == ids)
    books.checkInvariants()
  }

  @Test(arguments: 0..<16, 0..<5)
  func `moved records are together before the given one`(mask: Int, before: Int) throws {
    var books = books
    let ids = books[Book.shelf].ids
    let moving = Array(ids.indices.filter { mask >> $0 & 1 == 1 }.map { ids[$0] }.reversed())
    let next = before < ids.count ? ids[before] : nil
    if let next, moving.contains(next) {
      #expect(throws: EntityError<Book>.notInOrder(next)) { try books.move(moving, before: next, in: Book.shelf) }
      #expect(books[Book.shelf].ids == ids)
    } else {
      var expected = ids.filter { !moving.contains($0) }
      expected.insert(contentsOf: moving, at: next.map { expected.firstIndex(of: $0)! } ?? expected.count)
      try books.move(moving + moving, before: next, in: Book.shelf)
      #expect(books[Book.shelf].ids == expected)
    }
    books.checkInvariants()
  }

  @Test func `a record removed from the order stays in the table; one removed from the table leaves it`() throws {
    var books = books
    let before = books
    let wereIn = [1, 1, 99].map { books.remove($0, from: Book.shelf) }
    #expect(wereIn == [true, false, false])
    #expect(books[1] != nil)
    books.remove(4)
    #expect(books[Book.shelf].ids == [3, 5])
    try books.insert(Book(id: 4, title: "again"))
    #expect(books[Book.shelf].ids == [3, 5])
    books.removeAll()
    #expect(books[Book.shelf].isEmpty)
    #expect(before[Book.shelf].ids == [3, 1, 4, 5])
    books.checkInvariants()
  }

  @Test func `two orders are independent`() throws {
    var books = books
    try books.append(5, to: Book.desk)
    try books.append(3, to: Book.desk)
    try books.move(3, to: 0, in: Book.desk)
    #expect(books[Book.desk].ids == [3, 5])
    #expect(books[Book.shelf].ids == [3, 1, 4, 5])
  }

  @Test func `a changed record keeps its position`() throws {
    var books = books
    try books.updateAll { $0.title += "!" }
    try books.rename([1: 11]) { $0.id = $1 }
    try books.upsert(Book(id: 4, title: "replaced"))
    #expect(books[Book.shelf].map(\.title) == ["3!", "1!", "replaced", "5!"])
    #expect(books[Book.shelf].ids == [3, 11, 4, 5])
  }

  @Test(arguments: [(1, repetitions(10_000)), (0, repetitions(1_000)), (2, repetitions(1_000))])
  func `thousands of records are inserted at the same position, one after the other`(position: Int, count: Int) throws {
    var cards = try cards(count + 2)
    for number in 2..<count + 2 { try cards.insert(number, at: position, in: Card.pile) }
    var expected = [0, 1]
    expected.insert(contentsOf: (2..<count + 2).reversed(), at: position)
    #expect(cards[Card.pile].ids == expected)
    cards.checkInvariants()
  }

  @Test func `thousands of records are inserted in the middle, each after the previous one`() throws {
    let count = repetitions(3_000)
    var cards = try cards(count + 2)
    for number in 2..<count + 2 { try cards.insert(number, at: number - 1, in: Card.pile) }
    #expect(cards[Card.pile].ids == [0] + Array(2..<count + 2) + [1])
    cards.checkInvariants()
  }

  /// A number of cards, of which the first two are in the pile.
  private func cards(_ count: Int) throws -> EntityTable<Card> {
    var cards = try EntityTable((0..<count).map { Card(id: $0) })
    try cards.append(0, to: Card.pile)
    try cards.append(1, to: Card.pile)
    return cards
  }
}

private struct Card: IndexedEntity {
  let id: Int

  static let pile = ManualOrder<Card>("pile")

  static var indexes: [any EntityIndex<Card>] { [pile] }
}
