import ArborEntities

/// The number of items, and of those that are done.
struct Statistics: Equatable, Sendable {
  let items: Int
  let done: Int

  /// Counts items, none of which is looked at.
  init(of todos: EntityTable<Todo>) {
    items = todos.count
    done = todos[Todo.byState, true].count
  }

  /// The items still to do.
  var active: Int {
    items - done
  }
}
