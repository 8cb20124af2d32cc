/// An index of a table: a ``SortedIndex``, a ``GroupedIndex``, a ``UniqueIndex`` or a ``ManualOrder``.
///
/// - It is a description and holds no records. Each table has its own storage for the index and keeps it up to date.
/// - Create it once, as a `static let`. If you create it again, it is a different index, even if it looks the same.
public protocol EntityIndex<Element>: Sendable {
  /// The type of the records.
  associatedtype Element: Identifiable & Sendable where Element.ID: Sendable

  /// The functions that a table uses to keep the index up to date; only Arbor makes them.
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
/// - Each table of the records has all indexes from its first record on, even after decoding.
/// - The table updates the indexes with every change, in O(log n) for each index.
public protocol IndexedEntity: Identifiable, Sendable where ID: Sendable {
  /// The indexes of each table of these records. Read once.
  static var indexes: [any EntityIndex<Self>] { get }
}

/// A record whose tables have a ``UniqueIndex``.
///
/// - A table refuses a record with the unique key of another one: `update`, `upsert` and `insert` throw an
///   ``EntityError``. An assignment such as `table[id]?.title = "Emma"` could not throw, so it doesn't compile.
public protocol UniquelyIndexedEntity: IndexedEntity {}
