import ArborEntities
import Foundation

/// The items that the list shows: those that match the filter and contain the search text.
///
/// - They are computed only when an item, the filter or the query has changed, not with each state.
struct ShownTodos: Equatable, Sendable {
  let todos: EntityTable<Todo>
  let filter: Filter

  /// The text that each shown item contains; empty if there is no search.
  let query: String
}

extension ShownTodos: RowList {
  var rowIDs: [Todo.ID] {
    let todos = filter.items(of: todos)
    return (query.isEmpty ? todos : todos.filter { $0.text.localizedCaseInsensitiveContains(query) }).map(\.id)
  }

  /// The item with an id, even if it is not shown: the row of an item that is leaving the list can still change it.
  func record(with id: Todo.ID, near position: Int?) -> Todo? {
    todos[id]
  }

  func rowChanges(from older: ShownTodos) -> RowChanges<Todo> {
    var changes = todos.rowChanges(from: older.todos)
    // A change to an item may affect if it is shown.
    changes.hasSameOrder =
      changes.hasSameOrder && changes.changed.isEmpty && filter == older.filter && query == older.query
    return changes
  }

  func isUnchanged(from older: ShownTodos) -> Bool {
    todos.isUnchanged(from: older.todos) && filter == older.filter && query == older.query
  }
}
