import ArborEntities

/// A database of two tables.
struct Library: Equatable, Sendable {
  var books = EntityTable<Book>()
  var authors = EntityTable<Author>()
}
