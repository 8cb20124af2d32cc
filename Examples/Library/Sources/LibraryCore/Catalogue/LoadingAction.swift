/// The actions of loading the catalogue.
enum LoadingAction: Equatable, Sendable {
  /// Some more rows were read, and so many bytes in all.
  case rows([CatalogueRow], bytes: Int)

  /// Nothing of it is wanted.
  case refuse
}
