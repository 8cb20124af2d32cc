import ArborEntities
import TestSupport

/// A record that is shown in lists.
struct Book: Identifiable, Equatable, Sendable {
  var id: Int
  var title: String
}

extension Book: IndexedEntity {
  static let byTitle = SortedIndex(\Book.title)
  static let shelf = ManualOrder<Book>("shelf")

  static var indexes: [any EntityIndex<Book>] { [byTitle, shelf] }
}

extension EntityTable<Book> {
  /// Changes the table in some typical ways, a few times or not at all.
  mutating func change(at random: inout SplitMix64) throws {
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      let title = String(Int.random(in: 0..<40, using: &random))
      let fresh = Book(id: Int.random(in: 0..<30, using: &random), title: title)
      guard let book = randomElement(using: &random), !random.once(in: 3) else {
        try upsert(fresh)
        continue
      }
      switch Int.random(in: 0..<6, using: &random) {
      case 0: remove(book.id)
      case 1:
        // Insert it again, so that it moves to the end.
        remove(book.id)
        try insert(book)
      case 2 where !contains(id: fresh.id): try rename([book.id: fresh.id]) { $0.id = $1 }
      case 3 where !remove(book.id, from: Book.shelf): try append(book.id, to: Book.shelf)
      case 4 where self[Book.shelf].contains(book): try move(book.id, to: 0, in: Book.shelf)
      default: try update(book.id) { $0.title = title }
      }
    }
  }
}
