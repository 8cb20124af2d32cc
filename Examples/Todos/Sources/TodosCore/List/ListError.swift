/// The reason why a change to the list is impossible.
enum ListError: Error, Equatable, CustomStringConvertible {
  case noItem(id: Int)
  case nothingToUndo
  case nothingToRedo
  case otherRedo(id: Int, last: Int)
  case otherUndo(id: Int, last: Int)
  case otherID(id: Int, next: Int)

  var description: String {
    switch self {
    case .noItem(let id): "there is no item \(id)"
    case .nothingToUndo: "there is nothing to undo"
    case .nothingToRedo: "there is nothing to redo"
    case .otherRedo(let id, let last): "the last undone change was to item \(last), not \(id)"
    case .otherUndo(let id, let last): "the last change was to item \(last), not \(id)"
    case .otherID(let id, let next): "the next ID is \(next), not \(id)"
    }
  }
}
