import Arbor
import ArborEntities

extension ListState {
  /// Throws if an action is impossible. Called before it is dispatched, so all actions in the journal were possible.
  func check(_ action: ListAction) throws(ListError) {
    switch action {
    case .add(let id, _), .import(let id, _):
      guard id == nextID else { throw .otherID(id: id, next: nextID) }
    case .done(let id), .undone(let id), .remove(let id), .edit(let id, _):
      guard todos.contains(id: id) else { throw .noItem(id: id) }
    case .undo(let id):
      guard let last = lastChangedID else { throw .nothingToUndo }
      guard last == id else { throw .otherUndo(id: id, last: last) }
    case .redo(let id):
      guard let last = lastUndoneID else { throw .nothingToRedo }
      guard last == id else { throw .otherRedo(id: id, last: last) }
    }
  }

  /// The item of the change that can be undone; nil if there is none.
  var lastChangedID: Int? { items.canUndo ? items.document.changedID : nil }

  /// The item of the change that can be redone; nil if there is none.
  var lastUndoneID: Int? {
    var redone = items
    return redone.redo() ? redone.document.changedID : nil
  }
}
