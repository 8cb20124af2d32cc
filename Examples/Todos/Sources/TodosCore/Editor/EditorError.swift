/// The reason why a command of the editor is impossible.
enum EditorError: Error, Equatable, CustomStringConvertible {
  case notEditing
  case alreadyEditing(id: Int)

  var description: String {
    switch self {
    case .notEditing: "no item is being edited; try edit ID"
    case .alreadyEditing(let id): "item \(id) is being edited; save or cancel it first"
    }
  }
}
