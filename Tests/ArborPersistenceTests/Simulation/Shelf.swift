import Arbor
import ArborEntities
import ArborPersistence

/// The state of a simulated program: a text and a table that are kept, and a number that is not.
struct Shelf: Equatable, Sendable {
  struct Book: Identifiable, Codable, Equatable, Sendable {
    let id: Int
    var title: String
  }

  var text = ""
  var books = EntityTable<Book>()
  var shown = 0

  /// The parts that are kept.
  var kept: Kept { Kept(text: text, books: Array(books)) }

  struct Kept: Equatable, Sendable {
    var text: String
    var books: [Book]
  }

  static let text = Persisted(\Shelf.text, as: "text")
  static let books = Persisted(\Shelf.books, as: "books", coding: .binary)
  static let parts = [text, books]

  /// The same parts of another store of the storage.
  static let otherParts = [
    Persisted(\Shelf.text, as: "other text", coding: .binary), Persisted(\Shelf.books, as: "other books"),
  ]

  static let feature = Feature<Shelf, ShelfAction>(reducer: reduce)

  @Sendable static func reduce(_ state: inout Shelf, _ action: ShelfAction) {
    switch action {
    case .text(let text): state.text += text
    case .put(let book): try! state.books.upsert(book)
    case .remove(let id): state.books.remove(id)
    case .show: state.shown += 1
    }
  }
}

enum ShelfAction: Codable, Equatable, Sendable {
  case text(String)
  case put(Shelf.Book)
  case remove(Int)
  case show
}
