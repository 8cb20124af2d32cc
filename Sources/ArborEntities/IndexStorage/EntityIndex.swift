/// An index of a table: a ``SortedIndex``, a ``GroupedIndex``, a ``UniqueIndex`` or a ``ManualOrder``.
///
/// - It is a description and holds no records: each table of the records has what belongs to it, and keeps it up to date.
/// - Made once, as a `static let`: one that is made anew is another index, also if it looks the same.
public protocol EntityIndex<Element>: Sendable {
  /// The type of the records.
  associatedtype Element: Identifiable & Sendable where Element.ID: Sendable

  /// The functions by which a table keeps the index up to date; only Arbor makes them.
  var maintenance: IndexMaintenance<Element> { get }
}

/// A record whose tables have indexes.
///
/// ```swift
/// extension Book: UniquelyIndexedEntity {
///   static let byTitle = SortedIndex(\Book.title)
///   static let byAuthor = GroupedIndex(\Book.author, sortedBy: \.title)
///   static let byISBN = UniqueIndex(\Book.isbn)
///   static let shelf = ManualOrder<Book>("shelf")
///
///   static var indexes: [any EntityIndex<Book>] { [byTitle, byAuthor, byISBN, shelf] }
/// }
/// let books = try EntityTable(allBooks)
/// books[Book.byTitle]  // all of them, by title
/// books[Book.byTitle, "A"..<"C"]
/// books[Book.byAuthor, author]
/// books[Book.byISBN, "978-0-00-000000-0"]
/// ```
///
/// - Each table of the records has all the indexes, from its first record on, and also after it was decoded.
/// - They follow the records with every change, in O(log n) for each; nobody maintains them by hand.
public protocol IndexedEntity: Identifiable, Sendable where ID: Sendable {
  /// The indexes that each table of these records has. Asked for once.
  static var indexes: [any EntityIndex<Self>] { get }
}

/// A record whose tables have a ``UniqueIndex``.
///
/// - A table refuses a record whose key another one has. `update`, `upsert` and `insert` throw an ``EntityError`` then. An assignment,
///   `table[id]?.title = "Emma"`, couldn't, so it doesn't compile.
public protocol UniquelyIndexedEntity: IndexedEntity {}
