import ArborEntities
import Foundation
import Testing

@Suite("Encoded tables")
struct CodableTests {
  @Test func `a table without manual orders is encoded as an array, and decodes to an equal table`() throws {
    let table: EntityTable = [Plain(id: 2, text: "two"), Plain(id: 1, text: "one")]
    let data = try encode(table)
    #expect(String(decoding: data, as: UTF8.self) == #"[{"id":2,"text":"two"},{"id":1,"text":"one"}]"#)
    #expect(try decode(EntityTable<Plain>.self, data) == table)
    #expect(try decode(EntityTable<Plain>.self, encode(EntityTable<Plain>())).isEmpty)
  }

  @Test func `a table with manual orders is decoded with them and with its indexes`() throws {
    var books = try Book.table()
    books.remove(3)
    try books.insert(.persuasion)
    try books.append(3, to: Book.desk)
    try books.append(4, to: Book.desk)
    let decoded = try decode(EntityTable<Book>.self, encode(books))
    #expect(decoded == books)
    #expect(decoded[Book.shelf].ids == [2, 1])
    #expect(decoded[Book.desk].ids == [3, 4])
    #expect(decoded[Book.byTitle].map(\.title) == ["Emma", "Middlemarch", "Persuasion", "Walden"])
    #expect(decoded[Book.byISBN, "w"] == .walden)
    decoded.checkInvariants()
  }

  @Test func `orders are encoded as positions under their names`() throws {
    let books = try Book.table().filter { $0.id == 2 }
    let object = try JSONSerialization.jsonObject(with: encode(books)) as? [String: Any]
    #expect(object?["orders"] as? [String: [Int]] == ["shelf": [0], "desk": []])
    #expect((object?["records"] as? [Any])?.count == 1)
  }

  @Test func `an array is decoded even if the type has declared orders since`() throws {
    let books = try decode(EntityTable<Book>.self, encode([Book.walden, .emma]))
    #expect(Array(books) == [.walden, .emma])
    #expect(books[Book.shelf].isEmpty)
    books.checkInvariants()
  }

  @Test func `orders that did not exist yet are empty, and orders that no longer exist may be empty`() throws {
    let walden = String(decoding: try encode(Book.walden), as: UTF8.self)
    let books = try decode(
      EntityTable<Book>.self,
      Data(#"{"records":[\#(walden)],"orders":{"attic":[],"desk":[0]}}"#.utf8)
    )
    #expect(books[Book.shelf].isEmpty)
    #expect(books[Book.desk].ids == [1])
    #expect(try decode(EntityTable<Book>.self, Data(#"{"records":[\#(walden)]}"#.utf8)).count == 1)
  }

  @Test func `records encoded with orders are decoded even if the type no longer declares any`() throws {
    let plain = try decode(
      EntityTable<Plain>.self, Data(#"{"records":[{"id":1,"text":""}],"orders":{"shelf":[]}}"#.utf8))
    #expect(plain.count == 1)
  }

  @Test func `two records with the same id fail to decode, at the second one`() throws {
    let context = try damage(in: #"[{"id":1,"text":""},{"id":2,"text":""},{"id":1,"text":""}]"#, of: Plain.self)
    #expect(context.codingPath.map(\.intValue) == [2])
    #expect(context.debugDescription == "Plain 1 already exists, or occurs twice")
    #expect(context.underlyingError as? EntityError<Plain> == .exists(1))
  }

  @Test func `two records with the same unique key fail to decode, at the second one`() throws {
    let copy = Book(id: 9, title: "Another", isbn: "w")
    let records = String(decoding: try encode([Book.walden, .emma, copy]), as: UTF8.self)
    let context = try damage(in: #"{"records":\#(records)}"#, of: Book.self)
    #expect(path(context) == ["records", "2"])
    #expect(context.underlyingError as? EntityError<Book> == .duplicateKey("w", of: 9, owner: 1))
  }

  @Test(arguments: [
    (#"{"shelf":[0,1]}"#, ["orders", "shelf", "1"], "the order names record 1, but the table has 1"),
    (#"{"shelf":[-1]}"#, ["orders", "shelf", "0"], "the order names record -1, but the table has 1"),
    (#"{"attic":[0]}"#, ["orders", "attic"], "Book has no manual order of this name"),
    (#"{"shelf":[],"desk":[0,0]}"#, ["orders", "desk", "1"], "the order names record 0 twice"),
  ])
  func `an impossible order fails to decode, at its position`(orders: String, place: [String], sentence: String) throws
  {
    let walden = String(decoding: try encode(Book.walden), as: UTF8.self)
    let context = try damage(in: #"{"records":[\#(walden)],"orders":\#(orders)}"#, of: Book.self)
    #expect(path(context) == place)
    #expect(context.debugDescription == sentence)
  }

  @Test(arguments: [
    (#"{"list":[{"id":1,"text":""},{"id":"one","text":""}]}"#, ["list", "1", "id"]),
    (#"{"list":[{"id":1,"text":""},{"id":1,"text":""}]}"#, ["list", "1"]),
    (#"{"list":"none"}"#, ["list"]),
  ])
  func `damage inside another value is reported with its whole path`(text: String, place: [String]) throws {
    let error = #expect(throws: DecodingError.self) { try decode(Shelf<Plain>.self, Data(text.utf8)) }
    #expect(try path(context(of: error)) == place)
  }

  @Test(arguments: [
    (#"{"records":"none"}"#, ["records"]),
    (#"{"records":[],"orders":[]}"#, ["orders"]),
    (#"{"records":[],"orders":{"shelf":1}}"#, ["orders", "shelf"]),
    (#"{"orders":{}}"#, []),
    ("7", []),
  ])
  func `a value of the wrong type in a table with orders has a path`(text: String, place: [String]) throws {
    let error = #expect(throws: DecodingError.self) { try decode(EntityTable<Book>.self, Data(text.utf8)) }
    #expect(try path(context(of: error)) == place)
  }

  /// A value that contains a table.
  private struct Shelf<Element: Identifiable & Sendable & Codable>: Codable where Element.ID: Sendable {
    var list: EntityTable<Element>
  }

  private func encode(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return try encoder.encode(value)
  }

  private func decode<Value: Decodable>(_: Value.Type, _ data: Data) throws -> Value {
    try JSONDecoder().decode(Value.self, from: data)
  }

  private func damage<Element: Identifiable & Sendable & Codable>(
    in text: String,
    of _: Element.Type
  ) throws -> DecodingError.Context where Element.ID: Sendable {
    let error = #expect(throws: DecodingError.self) { try decode(EntityTable<Element>.self, Data(text.utf8)) }
    guard case .dataCorrupted = error else { throw try #require(error) }
    return try context(of: error)
  }

  private func context(of error: DecodingError?) throws -> DecodingError.Context {
    switch try #require(error) {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
      .dataCorrupted(let context):
      return context
    @unknown default: throw try #require(error)
    }
  }

  private func path(_ context: DecodingError.Context) -> [String] {
    context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
  }
}
