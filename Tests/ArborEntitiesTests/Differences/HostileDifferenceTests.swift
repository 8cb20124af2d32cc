import Arbor
import ArborEntities
import Foundation
import Testing

@Suite("Differences that do not fit")
struct HostileDifferenceTests {
  private static func book(_ id: Int, isbn: String? = nil) -> String {
    let isbn = isbn.map { #","isbn":"\#($0)""# } ?? ""
    return #"{"id":\#(id),"title":"","author":"nobody","year":2000\#(isbn)}"#
  }

  private static func shelf(_ parts: String) -> String { #"{"orders":{"shelf":[\#(parts)]}}"# }

  @Test(arguments: [
    (#"{"changed":[\#(book(9))]}"#, "there is no Book(9)"),
    (#"{"changed":[\#(book(1)),\#(book(1))]}"#, "Book(1) already exists, or occurs twice"),
    (#"{"removed":[{"id":9}]}"#, "there is no Book(9)"),
    (#"{"removed":[{"id":1},{"id":1}]}"#, "Book(1) already exists, or occurs twice"),
    (#"{"removed":[{"id":1}],"changed":[\#(book(1))]}"#, "Book(1) already exists, or occurs twice"),
    (#"{"inserted":[\#(book(9)),\#(book(1))]}"#, "Book(1) already exists, or occurs twice"),
    (#"{"inserted":[\#(book(9)),\#(book(9))]}"#, "Book(9) already exists, or occurs twice"),
    (#"{"replaced":[{"old":{"id":1},"new":\#(book(2))}]}"#, "Book(2) already exists, or occurs twice"),
    (#"{"replaced":[{"old":{"id":9},"new":\#(book(10))}]}"#, "there is no Book(9)"),
    (
      #"{"replaced":[{"old":{"id":1},"new":\#(book(8))},{"old":{"id":2},"new":\#(book(8))}]}"#,
      "Book(8) already exists, or occurs twice"
    ),
    (#"{"changed":[\#(book(3, isbn: "w"))]}"#, #"Book(3) would have the key "w", which Book(1) already has"#),
    (
      #"{"inserted":[\#(book(8)),\#(book(9, isbn: "e"))],"changed":[\#(book(4))]}"#,
      #"Book(9) would have the key "e", which Book(2) already has"#
    ),
    (#"{"orders":{"attic":[]}}"#, #"Book has no manual order "attic""#),
    (shelf(#"{"kept":[0,3]}"#), #"the order "shelf" of 2 records has no positions 0..<3"#),
    (shelf(#"{"kept":[2,1]}"#), #"the order "shelf" of 2 records has no positions 2..<3"#),
    (shelf(#"{"kept":[0,1]},{"kept":[0,1]}"#), #"the order "shelf" would keep some of the positions 0..<1 twice"#),
    (shelf(#"{"kept":[0,2]},{"put":{"id":9}}"#), "there is no Book(9)"),
    (shelf(#"{"put":{"id":2}}"#), "Book(2) is already in the order"),
    (shelf(#"{"put":{"id":3}},{"put":{"id":3}}"#), "Book(3) is already in the order"),
    (#"{"removed":[{"id":3}],"orders":{"desk":[{"put":{"id":3}}]}}"#, "there is no Book(3)"),
  ])
  func `a difference that does not fit throws an error, and nothing changes`(text: String, sentence: String) throws {
    var books = try Book.table()
    let before = books
    let error = #expect(throws: DecodingError.self) { try books.apply(text: text) }
    guard case .dataCorrupted(let context) = error else { throw try #require(error) }
    #expect(context.debugDescription == sentence)
    #expect(books.stamp == before.stamp)
    #expect(books == before)
    books.checkInvariants()
  }

  @Test(arguments: [
    #"{"kept":[-1,2]}"#, #"{"kept":[0,0]}"#, #"{"kept":[1]}"#, #"{"kept":[1,\#(Int.max)]}"#, #"{"kept":"all"}"#,
    #"{"put":{}}"#, #"{"put":{"id":"one"}}"#, "{}", "7",
  ])
  func `an impossible part of an order is not decoded`(part: String) throws {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(CodableEntityDifference<Book>.self, from: Data(Self.shelf(part).utf8))
    }
  }

  @Test func `a difference of another table does not fit`() throws {
    let older = try Book.table()
    var newer = older
    try newer.update(4) { $0.year = 1872 }
    let difference = try #require(try newer.recodedDifference(from: older))
    var other = try EntityTable([Book.walden, .emma])
    let before = other
    #expect(throws: DecodingError.self) { try other.apply(difference) }
    #expect(other.stamp == before.stamp)
  }
}
