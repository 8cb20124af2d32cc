/// What the program knows.
struct AppState: Equatable, Sendable {
  var list = ListState()
  var filter = Filter.all
  var importing = ImportState.idle

  /// What the last action left to print.
  var output = Output.nothing

  /// Derived, not stored: it can never disagree with the list.
  var statistics: Statistics {
    Statistics(of: list)
  }
}
