import ArborEntities

/// The to-do list.
struct ListState: Equatable, Sendable {
  var todos = EntityTable<Todo>()

  /// Only ever grows: an ID is not used again, even if its item was removed or its addition undone.
  var nextID = 1

  /// The changes that can be taken back, the last one at the end.
  var history: [Change] = []
}
