import ArborEntities
import Foundation

/// The items that the list shows: those of a filter whose text contains what is searched for.
///
/// - They are found only when an item, the filter or the query has changed, and not with each state.
struct ShownTodos: Equatable, Sendable {
  let todos: EntityTable<Todo>
  let filter: Filter

  /// The text that each shown item contains; empty if nothing is searched for.
  let query: String
}

extension ShownTodos: RowList {
  var rowIDs: [Todo.ID] {
    let todos = filter.items(of: todos)
    return (query.isEmpty ? todos : todos.filter { $0.text.localizedCaseInsensitiveContains(query) }).map(\.id)
  }

  /// The item with an id, also if it is not shown: the row of an item that is just leaving still changes it.
  func record(with id: Todo.ID, near position: Int?) -> Todo? {
    todos[id]
  }

  func rowChanges(from older: ShownTodos) -> RowChanges<Todo> {
    var changes = todos.rowChanges(from: older.todos)
    // A change of an item may decide whether it is shown.
    changes.hasSameOrder =
      changes.hasSameOrder && changes.changed.isEmpty && filter == older.filter && query == older.query
    return changes
  }

  func isUnchanged(from older: ShownTodos) -> Bool {
    todos.isUnchanged(from: older.todos) && filter == older.filter && query == older.query
  }
}
