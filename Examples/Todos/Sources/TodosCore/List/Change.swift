/// What it takes to undo a change.
enum Change: Equatable, Sendable {
  /// Items were added, with these IDs.
  case added(Range<Int>)

  /// An item was changed or removed, and was this before.
  case replaced(Todo)

  /// The item of the change; for an import, its first.
  var id: Int {
    switch self {
    case .added(let ids): ids.lowerBound
    case .replaced(let todo): todo.id
    }
  }
}
