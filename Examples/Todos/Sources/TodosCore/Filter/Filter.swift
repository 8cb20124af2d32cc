import ArborEntities

/// The choice of the items that the list shows.
enum Filter: String, Equatable, Sendable {
  case all, active, done

  /// The items that the list shows.
  func items(of todos: EntityTable<Todo>) -> [Todo] {
    switch self {
    case .all: Array(todos[Todo.byID])
    case .active: Array(todos[Todo.byState, false])
    case .done: Array(todos[Todo.byState, true])
    }
  }
}
