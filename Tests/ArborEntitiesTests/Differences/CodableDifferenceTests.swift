import Arbor
import ArborEntities
import Foundation
import Testing

@Suite("Encoded differences of tables")
struct CodableDifferenceTests {
  /// A sanitizer takes too long for a million records.
  private static let largeCount: Int = {
    #if TSAN || ASAN
      100_000
    #else
      1_000_000
    #endif
  }()

  @Test func `tables of a million records of which one has changed differ by one record`() throws {
    let older = try EntityTable((0..<Self.largeCount).map { Plain(id: $0) })
    var newer = older
    try newer.update(77_777) { $0.text = "new" }
    #expect(try newer.differenceText(from: older) == #"{"changed":[{"id":77777,"text":"new"}]}"#)
    var made = older
    try made.apply(#require(newer.codableDifference(from: older)))
    #expect(made == newer)
  }

  @Test func `a difference names the removed, replaced, changed and inserted records`() throws {
    let older = try EntityTable((0..<10).map { Plain(id: $0) })
    var newer = older
    newer.remove(1)
    try newer.rename([2: 20]) { $0.id = $1 }
    try newer.update(3) { $0.text = "new" }
    try newer.insert(Plain(id: 11))
    let text =
      #"{"changed":[{"id":3,"text":"new"}],"inserted":[{"id":11,"text":""}],"removed":[{"id":1}],"#
      + #""replaced":[{"new":{"id":20,"text":""},"old":{"id":2}}]}"#
    #expect(try newer.differenceText(from: older) == text)
    var made = try older.recoded()
    try made.apply(text: text)
    #expect(made == newer)
  }

  @Test func `a difference of the same version is empty`() throws {
    let books = try Book.table()
    #expect(books.isSameVersion(as: books))
    #expect(try books.differenceText(from: books) == "{}")
    var changed = books
    try changed.update(1) { $0.year = 1855 }
    #expect(!changed.isSameVersion(as: books))
    try changed.apply(text: "{}")
    #expect(changed[1]?.year == 1855)
  }

  @Test func `if most records differ, there is no difference`() throws {
    let older = try EntityTable((0..<10).map { Plain(id: $0) })
    var newer = older
    try newer.update(ids: 0..<5) { $0.text = "new" }
    #expect(newer.codableDifference(from: older)?.recordCount == 5)
    try newer.update(5) { $0.text = "new" }
    #expect(try newer.differenceText(from: older) == nil)
    newer.removeAll()
    #expect(try newer.differenceText(from: older) == nil)
    #expect(try older.differenceText(from: newer) == nil)
    #expect(try older.recoded().differenceText(from: older) == nil)
  }

  @Test func `a removal that is undone has a difference only at the end`() throws {
    let all = try EntityTable((0..<10).map { Plain(id: $0) })
    #expect(try all.differenceText(from: all.filter { $0.id != 8 }) == nil)
    let older = all.filter { $0.id != 9 }
    #expect(try all.differenceText(from: older) == #"{"inserted":[{"id":9,"text":""}]}"#)
  }

  @Test func `a record that was removed and inserted again is last`() throws {
    let older = try EntityTable((0..<10).map { Plain(id: $0) })
    var newer = older
    newer.remove(4)
    try newer.insert(Plain(id: 4, text: "again"))
    let made = try #require(try newer.remade(from: older))
    #expect(made == newer)
    #expect(made.last?.id == 4)
  }

  @Test func `records swap their ids and their unique keys`() throws {
    var older = try Book.table()
    try older.insert(contentsOf: (5..<20).map { Book(id: .init($0), title: "title \($0)", isbn: "\($0)") })
    var newer = older
    try newer.rename([1: 2, 2: 3, 3: 1]) { $0.id = $1 }
    try newer.update(ids: [5, 6]) { $0.isbn = $0.isbn == "5" ? "6" : "5" }
    let made = try #require(try newer.remade(from: older))
    #expect(made == newer)
    #expect(made[Book.byISBN, "5"]?.id == 6)
    #expect(made[Book.byISBN, "w"]?.id == 2)
    #expect(made[Book.shelf].ids == [3, 2])
    made.checkInvariants()
  }

  @Test func `a table whose slots were renumbered has a correct difference or none`() throws {
    for removed in 0..<12 {
      var older = try EntityTable((0..<12).map { Book(id: .init($0), title: "title \($0)", isbn: "\($0)") })
      older.remove(.init(removed))
      for id in older.ids { try older.insert(id, at: 0, in: Book.shelf) }
      older.skipSlots(leaving: 0)
      var newer = older
      try newer.insert(Book(id: 20, title: "last"))
      guard let difference = try newer.recodedDifference(from: older) else { continue }
      var made = older
      try made.apply(difference)
      #expect(made == newer)
      made.checkInvariants()
    }
  }

  @Test func `a difference is applied at the end of the slots`() throws {
    let older = try Book.table()
    var newer = older
    try newer.insert(Book(id: 9, title: "new"))
    try newer.update(1) { $0.isbn = "x" }
    var made = older
    made.skipSlots(leaving: 0)
    try made.apply(#require(try newer.recodedDifference(from: older)))
    #expect(made == newer)
    made.checkInvariants()
  }
}
