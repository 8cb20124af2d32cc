import ArborEntities

/// An item of the list.
struct Todo: Identifiable, Equatable, Sendable, Codable {
  let id: Int
  var text: String
  var isDone = false
}

extension Todo: IndexedEntity {
  /// The order by ID, so that an item returns to its place when its removal is undone.
  static let byID = SortedIndex(\Todo.id)

  /// The finished and the unfinished items.
  static let byState = GroupedIndex(\Todo.isDone, sortedBy: \.id)

  static var indexes: [any EntityIndex<Todo>] { [byID, byState] }
}
