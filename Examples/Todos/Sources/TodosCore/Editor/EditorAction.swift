/// What can happen in the editor.
enum EditorAction: Equatable, Sendable {
  case text(String)
}
