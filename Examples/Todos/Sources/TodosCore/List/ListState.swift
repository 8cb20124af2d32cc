import Arbor
import ArborEntities

/// The to-do list, with what can be undone and redone.
struct ListState: Equatable, Sendable, Codable {
  /// The items, and how they were before.
  var items = History(Items(), limit: .max)

  /// Only ever grows: an ID is not used again, even if its item was removed or its addition undone.
  var nextID = 1

  var todos: EntityTable<Todo> { items.document.todos }
}

/// The items of the list as one change has left them.
struct Items: Equatable, Sendable, Codable {
  var todos = EntityTable<Todo>()

  /// The item of the change; for an import, its first. Nil before any change.
  var changedID: Int?
}
