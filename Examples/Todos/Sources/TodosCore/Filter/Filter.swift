/// Which items the list shows.
enum Filter: String, Equatable, Sendable {
  case all, active, done

  /// Whether the list shows an item.
  func admits(_ todo: Todo) -> Bool {
    switch self {
    case .all: true
    case .active: !todo.isDone
    case .done: todo.isDone
    }
  }
}
