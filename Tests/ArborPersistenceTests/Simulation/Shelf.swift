import Arbor
import ArborEntities
import ArborPersistence

/// The state of a simulated program: a text, two tables and a history that are stored, and a number that isn't.
struct Shelf: Equatable, Sendable {
  struct Book: Identifiable, Codable, Equatable, Sendable {
    let id: Int
    var title: String
  }

  /// A record with an index of each kind.
  struct Card: UniquelyIndexedEntity, Codable, Equatable {
    let id: Int
    var rank: Int

    static let byRank = SortedIndex(\Card.rank)
    static let byColor = GroupedIndex { (card: Card) in card.rank % 3 }
    static let byRankAlone = UniqueIndex(\Card.rank)
    static let pile = ManualOrder<Card>("pile")

    static var indexes: [any EntityIndex<Card>] { [byRank, byColor, byRankAlone, pile] }
  }

  var text = ""
  var books = EntityTable<Book>()
  var draft = History("", limit: 5)
  var cards = EntityTable<Card>()
  var shown = 0

  /// The values of the stored parts.
  var kept: Kept { Kept(text: text, books: Array(books), draft: draft, cards: cards) }

  struct Kept: Equatable, Sendable {
    var text: String
    var books: [Book]
    var draft: History<String>
    var cards: EntityTable<Card>
  }

  static let text = Persisted(\Shelf.text, as: "text")
  static let books = Persisted(\Shelf.books, as: "books", coding: .binary)
  static let draft = Persisted(\Shelf.draft, as: "draft")
  static let cards = Persisted(\Shelf.cards, as: "cards", coding: .binary)
  static let parts = [text, books, draft, cards]

  /// The same parts, for another store of the storage.
  static let otherParts = [
    Persisted(\Shelf.text, as: "other text", coding: .binary), Persisted(\Shelf.books, as: "other books"),
    Persisted(\Shelf.draft, as: "other draft", coding: .binary), Persisted(\Shelf.cards, as: "other cards"),
  ]

  static let feature = Feature<Shelf, ShelfAction>(reducer: reduce)

  @Sendable static func reduce(_ state: inout Shelf, _ action: ShelfAction) {
    switch action {
    case .text(let text): state.text += text
    case .put(let book): try! state.books.upsert(book)
    case .remove(let id): state.books.remove(id)
    case .show: state.shown += 1
    case .type(let text):
      state.draft.document += text
      state.draft.record(group: "typing", author: text)
    case .hold: state.draft.beginGroup("held")
    case .undo: state.draft.undo()
    case .finish: state.draft.endGroup()
    case .deal(let card):
      try? state.cards.upsert(card)
      try? state.cards.insert(card.id, at: 0, in: Card.pile)
    case .take:
      // The first color must not depend on the table's past.
      guard let color = state.cards.keys(of: Card.byColor).first else { return }
      let card = state.cards[Card.byColor, color][0]
      state.text += "\(card.rank)"
      state.cards.remove(card.id)
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
  case deal(Shelf.Card)
  case take

  /// `false` if a partial journal leaves the action out. The action may change a part nevertheless.
  var isInPartialJournal: Bool {
    switch self {
    case .text, .put: true
    case .remove, .show, .type, .hold, .undo, .finish, .deal, .take: false
    }
  }
}
