/// The state of the program.
struct AppState: Equatable, Sendable {
  var library = Library()
  var loading = LoadingState()

  /// The reason why the last loan or return was refused; nil if it was not refused.
  var refusal: LibraryError?
}
