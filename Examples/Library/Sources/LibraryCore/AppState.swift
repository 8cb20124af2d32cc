/// What the program knows.
struct AppState: Equatable, Sendable {
  var library = Library()
  var loading = LoadingState()

  /// Why the last loan or return was refused; nil if it was not.
  var refusal: LibraryError?
}
