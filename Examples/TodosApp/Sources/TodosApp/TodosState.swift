import ArborEntities

/// The state of the program: the state of the core and of the screens.
struct TodosState: Equatable, Sendable {
  var app = AppState()
  var search = Search()

  /// The item in the editor; nil while the editor is closed.
  var editor: Draft?

  /// The failed import, until its message is dismissed.
  var failure: ImportFailure?

  var isImporting: Bool { app.importing != .idle }

  /// The items that the list shows.
  var shown: ShownTodos {
    ShownTodos(todos: app.list.todos, filter: app.filter, query: search.query)
  }
}
