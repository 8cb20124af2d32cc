import ArborEntities

/// A book of the catalog.
struct Book: Identifiable, Equatable, Sendable {
  let id: TypedID<Book, Int>
  let title: String
  let author: Author.ID
  let year: Int?
  var timesLent = 0
}

extension Book: IndexedEntity {
  static let byTitle = SortedIndex(\Book.title)
  static let byAuthor = GroupedIndex(\Book.author, sortedBy: \.title)

  static var indexes: [any EntityIndex<Book>] { [byTitle, byAuthor] }
}
