import Arbor
import ArborEntities

/// The to-do list, with its undo history.
struct ListState: Equatable, Sendable, Codable {
  /// The items and their earlier versions.
  var items = History(Items(), limit: .max)

  /// The next ID, which only grows: an ID is not used again, even if its item was removed or its addition undone.
  var nextID = 1

  var todos: EntityTable<Todo> { items.document.todos }
}

/// The items of the list after a change.
struct Items: Equatable, Sendable, Codable {
  var todos = EntityTable<Todo>()

  /// The item of the change; for an import, its first. Nil before any change.
  var changedID: Int?
}
