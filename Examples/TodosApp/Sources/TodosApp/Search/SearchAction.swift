/// The actions of the search.
enum SearchAction: Equatable, Sendable {
  case type(String)

  /// Searches for what is in the field.
  case search
}
