import ArborEntities

/// Something to do.
struct Todo: Identifiable, Equatable, Sendable, Codable {
  let id: Int
  var text: String
  var isDone = false
}

extension Todo: IndexedEntity {
  /// What is undone comes back to where it was.
  static let byID = SortedIndex(\Todo.id)

  /// Those that are done, and those that are not.
  static let byState = GroupedIndex(\Todo.isDone, sortedBy: \.id)

  static var indexes: [any EntityIndex<Todo>] { [byID, byState] }
}
