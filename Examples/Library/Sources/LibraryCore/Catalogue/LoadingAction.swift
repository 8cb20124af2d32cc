/// The actions of loading the catalog.
enum LoadingAction: Equatable, Sendable {
  /// More rows were read, with the total number of bytes so far.
  case rows([CatalogueRow], bytes: Int)

  /// Discards the whole catalog.
  case refuse
}
