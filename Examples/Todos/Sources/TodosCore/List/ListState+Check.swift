import ArborEntities

extension ListState {
  /// Throws if an action is impossible: before it is dispatched, and when it is read from the file.
  func check(_ action: ListAction) throws(ListError) {
    switch action {
    case .add(let id, _), .import(let id, _):
      guard id == nextID else { throw .otherID(id: id, next: nextID) }
    case .done(let id), .undone(let id), .remove(let id), .edit(let id, _):
      guard todos.contains(id: id) else { throw .noItem(id: id) }
    case .undo(let id):
      guard let change = history.last else { throw .nothingToUndo }
      guard change.id == id else { throw .otherUndo(id: id, last: change.id) }
    }
  }
}
