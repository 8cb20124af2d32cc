import ArborEntities

/// The number of items, and of finished items.
struct Statistics: Equatable, Sendable {
  let items: Int
  let done: Int

  /// Counts items without reading any of them.
  init(of todos: EntityTable<Todo>) {
    items = todos.count
    done = todos[Todo.byState, true].count
  }

  /// The number of unfinished items.
  var active: Int {
    items - done
  }
}
