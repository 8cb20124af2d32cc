import ArborEntities

/// A record with an index of each kind.
struct Book: Identifiable, Hashable, Codable, Sendable {
  var id: TypedID<Book, Int>
  var title: String
  var author: Author.ID = "nobody"
  var year = 2000
  var isbn: String?
}

extension Book: UniquelyIndexedEntity {
  static let byTitle = SortedIndex(\Book.title)
  static let byYear = SortedIndex(\Book.year)
  static let newest = SortedIndex<Book, _> { $0.year > $1.year }
  static let byAuthor = GroupedIndex(\Book.author)
  static let byAuthorAndTitle = GroupedIndex(\Book.author, sortedBy: \.title)
  static let byAuthorNewest = GroupedIndex(\Book.author) { $0.year > $1.year }
  static let byISBN = UniqueIndex(\Book.isbn)
  static let shelf = ManualOrder<Book>("shelf")
  static let desk = ManualOrder<Book>("desk")

  static var indexes: [any EntityIndex<Book>] {
    [byTitle, byYear, newest, byAuthor, byAuthorAndTitle, byAuthorNewest, byISBN, shelf, desk]
  }
}

extension Book {
  static let walden = Book(id: 1, title: "Walden", author: "thoreau", year: 1854, isbn: "w")
  static let emma = Book(id: 2, title: "Emma", author: "austen", year: 1815, isbn: "e")
  static let persuasion = Book(id: 3, title: "Persuasion", author: "austen", year: 1817)
  static let middlemarch = Book(id: 4, title: "Middlemarch", author: "eliot", year: 1871)

  /// A table of four books, of which the first two are on the shelf.
  static func table() throws -> EntityTable<Book> {
    var books = try EntityTable([walden, emma, persuasion, middlemarch])
    try books.append(emma.id, to: shelf)
    try books.append(walden.id, to: shelf)
    return books
  }
}
