/// The actions of the search.
enum SearchAction: Equatable, Sendable {
  case type(String)

  /// Searches for the text in the field.
  case search
}
