import Arbor
import ArborEntities
import TestSupport
import Testing

@Suite("Encoded differences of manual orders")
struct OrderDifferenceTests {
  private func table(_ count: Int) throws -> EntityTable<Book> {
    var books = try EntityTable((0..<count).map { Book(id: .init($0), title: "title \($0)") })
    for id in 0..<count { try books.append(.init(id), to: Book.shelf) }
    return books
  }

  @Test func `a record inserted between others is encoded by its id`() throws {
    var older = try table(10)
    older.remove(7, from: Book.shelf)
    var newer = older
    try newer.insert(7, at: 2, in: Book.shelf)
    let text = #"{"orders":{"shelf":[{"kept":[0,2]},{"put":{"id":7}},{"kept":[2,7]}]}}"#
    #expect(try newer.differenceText(from: older) == text)
    try older.apply(text: text)
    #expect(older == newer)
    older.checkInvariants()
  }

  @Test func `a record moved far is encoded by its position`() throws {
    let older = try table(1_000)
    var newer = older
    try newer.move(0, to: 999, in: Book.shelf)
    let text = #"{"orders":{"shelf":[{"kept":[1,999]},{"kept":[0,1]}]}}"#
    #expect(try newer.differenceText(from: older) == text)
    var made = try older.recoded()
    try made.apply(text: text)
    #expect(made == newer)
  }

  @Test func `records that are moved together stay together`() throws {
    let older = try table(100)
    var newer = older
    try newer.move([5, 6, 7, 30], before: 20, in: Book.shelf)
    let made = try #require(try newer.remade(from: older))
    #expect(made == newer)
    made.checkInvariants()
  }

  @Test func `an order omits changes that follow from a removal`() throws {
    let older = try table(20)
    var newer = older
    newer.remove(ids: [2, 5, 9])
    #expect(try newer.differenceText(from: older) == #"{"removed":[{"id":2},{"id":5},{"id":9}]}"#)
    try newer.insert(Book(id: 2, title: "again"))
    try newer.append(2, to: Book.desk)
    var made = older
    try made.apply(#require(try newer.recodedDifference(from: older)))
    #expect(made == newer)
    made.checkInvariants()
  }

  @Test func `an emptied order is encoded with no parts`() throws {
    let older = try Book.table()
    var newer = older
    newer.remove(1, from: Book.shelf)
    newer.remove(2, from: Book.shelf)
    #expect(try newer.differenceText(from: older) == #"{"orders":{"shelf":[]}}"#)
    var made = older
    try made.apply(text: #"{"orders":{"shelf":[]}}"#)
    #expect(made == newer)
  }

  @Test func `an order of which most has moved has no difference`() throws {
    let older = try table(20)
    var newer = older
    for id in 0..<20 { try newer.move(.init(id), to: 0, in: Book.shelf) }
    #expect(try newer.differenceText(from: older) == nil)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `any parts of an order give another one`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<60 {
      let older = try table(40)
      var newer = older
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let start = Int.random(in: 0..<40, using: &random)
        let ids = (start..<min(start + .random(in: 1...9, using: &random), 40)).map { Book.ID($0) }
        let next = Book.ID(.random(in: 0..<40, using: &random))
        try newer.move(ids, before: ids.contains(next) ? nil : next, in: Book.shelf)
      }
      guard let difference = try newer.recodedDifference(from: older) else { continue }
      var made = try older.recoded()
      try made.apply(difference)
      #expect(made[Book.shelf].ids == newer[Book.shelf].ids)
      made.checkInvariants()
    }
  }
}
