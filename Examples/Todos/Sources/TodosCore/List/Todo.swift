import ArborEntities

/// Something to do.
struct Todo: Identifiable, Equatable, Sendable, Codable {
  let id: Int
  var text: String
  var isDone = false
}

extension Todo: IndexedEntity {
  /// The order by ID, so that an item whose removal is undone comes back to its place.
  static let byID = SortedIndex(\Todo.id)

  /// The items that are done, and those that are not.
  static let byState = GroupedIndex(\Todo.isDone, sortedBy: \.id)

  static var indexes: [any EntityIndex<Todo>] { [byID, byState] }
}
