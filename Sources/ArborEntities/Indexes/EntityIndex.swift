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
