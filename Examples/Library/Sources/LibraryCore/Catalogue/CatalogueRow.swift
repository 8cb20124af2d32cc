/// A line of the catalogue that is not blank, read or not.
struct CatalogueRow: Equatable, Sendable {
  /// Counted from one.
  let line: Int
  let entry: Result<CatalogueEntry, RowError>
}
