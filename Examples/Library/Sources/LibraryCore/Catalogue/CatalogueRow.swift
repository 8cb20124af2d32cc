/// A nonblank line of the catalog, valid or not.
struct CatalogueRow: Equatable, Sendable {
  /// The line number, counted from one.
  let line: Int
  let entry: Result<CatalogueEntry, RowError>
}
