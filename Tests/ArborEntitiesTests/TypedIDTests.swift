import ArborEntities
import Foundation
import Testing

@Suite("Typed ids")
struct TypedIDTests {
  @Test func `an id of text can be an interpolated literal`() {
    let author: Author.ID = "author-\(7)"
    #expect(author.rawValue == "author-7")
  }

  @Test func `an id can be a literal of its raw value`() {
    let book: Book.ID = 7
    let author: Author.ID = "austen"
    let letter: TypedID<Author, Character> = "a"
    let scalar: TypedID<Author, Unicode.Scalar> = "a"
    #expect(book.rawValue == 7)
    #expect(author.rawValue == "austen")
    #expect(letter.rawValue == "a")
    #expect(scalar.rawValue == "a")
    #expect(Book.ID(rawValue: 7) == book)
    #expect(Book.ID(7) == book)
  }

  @Test func `an id is its raw value in texts for users, and names its owner in texts for programmers`() {
    let ids: [Book.ID] = [7, 8]
    #expect("\(ids[0])" == "7")
    #expect("Order \(TypedID<Book, String>("lunch"))" == "Order lunch")
    #expect("\(ids)" == "[Book(7), Book(8)]")
    #expect(String(reflecting: ids[0]) == "Book(7)")
    var text = ""
    dump(ids[0], to: &text)
    #expect(text == "- Book(7)\n")
  }

  @Test func `an id is encoded like its raw value`() throws {
    let ids: [Book.ID] = [7, 8]
    let data = try JSONEncoder().encode(ids)
    #expect(String(decoding: data, as: UTF8.self) == "[7,8]")
    #expect(try JSONDecoder().decode([Book.ID].self, from: data) == ids)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode([Author.ID].self, from: data) }
  }

  @Test func `a dictionary by id is encoded like one by raw value`() throws {
    let years: [Book.ID: Int] = [7: 1854]
    let names: [Author.ID: String] = ["austen": "Jane"]
    #expect(String(decoding: try JSONEncoder().encode(years), as: UTF8.self) == #"{"7":1854}"#)
    #expect(String(decoding: try JSONEncoder().encode(names), as: UTF8.self) == #"{"austen":"Jane"}"#)
    #expect(try JSONDecoder().decode([Book.ID: Int].self, from: JSONEncoder().encode(years)) == years)
    #expect(try JSONDecoder().decode([Author.ID: String].self, from: JSONEncoder().encode(names)) == names)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([Book.ID: Int].self, from: Data(#"{"seven":1854}"#.utf8))
    }
  }

  @Test func `ids are compared and hashed by their raw values`() {
    let ids: [Book.ID] = [3, 1, 2, 1]
    #expect(ids.sorted() == [1, 1, 2, 3])
    #expect(Set(ids).count == 3)
    #expect(Book.ID(3).hashValue == 3.hashValue)
  }
}
