/// The actions of the editor.
enum EditorAction: Equatable, Sendable {
  case text(String)
}
