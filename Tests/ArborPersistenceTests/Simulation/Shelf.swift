import Arbor
import ArborEntities
import ArborPersistence

/// The state of a simulated program: a text, a table and a history that are kept, and a number that is not.
struct Shelf: Equatable, Sendable {
  struct Book: UniquelyIndexedEntity, Codable, Equatable {
    let id: Int
    var title: String

    static let byTitle = SortedIndex(\Book.title)
    static let byLength = GroupedIndex(\Book.title.count)
    static let byOwnTitle = UniqueIndex(\Book.title)
    static let pile = ManualOrder<Book>("pile")

    static var indexes: [any EntityIndex<Book>] { [byTitle, byLength, byOwnTitle, pile] }
  }

  var text = ""
  var books = EntityTable<Book>()
  var draft = History("", limit: 5)
  var shown = 0

  /// The parts that are kept.
  var kept: Kept { Kept(text: text, books: books, draft: draft) }

  struct Kept: Equatable, Sendable {
    var text: String
    var books: EntityTable<Book>
    var draft: History<String>
  }

  static let text = Persisted(\Shelf.text, as: "text")
  static let books = Persisted(\Shelf.books, as: "books", coding: .binary)
  static let draft = Persisted(\Shelf.draft, as: "draft")
  static let parts = [text, books, draft]

  /// The same parts of another store of the storage.
  static let otherParts = [
    Persisted(\Shelf.text, as: "other text", coding: .binary), Persisted(\Shelf.books, as: "other books"),
    Persisted(\Shelf.draft, as: "other draft", coding: .binary),
  ]

  static let feature = Feature<Shelf, ShelfAction>(reducer: reduce)

  @Sendable static func reduce(_ state: inout Shelf, _ action: ShelfAction) {
    switch action {
    case .text(let text): state.text += text
    case .put(let book):
      try? state.books.upsert(book)
      try? state.books.insert(book.id, at: 0, in: Book.pile)
    case .remove(let id): state.books.remove(id)
    case .show: state.shown += 1
    case .type(let text):
      state.draft.document += text
      state.draft.record(group: "typing", author: text)
    case .hold: state.draft.beginGroup("held")
    case .undo: state.draft.undo()
    case .finish: state.draft.endGroup()
    case .take:
      // Which one is first must not depend on what has happened to the table.
      guard let length = state.books.keys(of: Book.byLength).first else { return }
      let book = state.books[Book.byLength, length].first ?? state.books[Book.pile].first
      state.text += book?.title ?? ""
    }
  }
}

enum ShelfAction: Codable, Equatable, Sendable {
  case text(String)
  case put(Shelf.Book)
  case remove(Int)
  case show
  case type(String)
  case hold
  case undo
  case finish
  case take

  /// `false` if a journal of a part of the actions leaves it out, though it may change a part.
  var isInPartialJournal: Bool {
    switch self {
    case .text, .put: true
    case .remove, .show, .type, .hold, .undo, .finish, .take: false
    }
  }
}
