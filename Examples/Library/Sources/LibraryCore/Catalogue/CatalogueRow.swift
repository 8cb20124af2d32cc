/// A nonblank line of the catalogue, valid or not.
struct CatalogueRow: Equatable, Sendable {
  /// The line number, counted from one.
  let line: Int
  let entry: Result<CatalogueEntry, RowError>
}
