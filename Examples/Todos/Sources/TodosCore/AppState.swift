import Arbor

/// The state of the program.
struct AppState: Equatable, Sendable {
  var list = ListState()
  var filter = Filter.all
  var importing = ImportState.idle

  // Derived, not stored, so they always match the list; computed again only when it has changed.
  static let shown = StateSelector(\AppState.list.todos, \.filter) { todos, filter in filter.items(of: todos) }
  static let statistics = StateSelector(\AppState.list.todos) { Statistics(of: $0) }
}
