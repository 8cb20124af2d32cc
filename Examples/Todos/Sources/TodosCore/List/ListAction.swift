/// A change of the list.
///
/// - It carries its IDs, so that the reducer stays pure.
/// - The journal has these, a line each, as `Codable` writes them: `{"add":{"id":1,"text":"Buy milk"}}`.
enum ListAction: Equatable, Sendable, Codable {
  case add(id: Int, text: String)
  case done(id: Int)
  case undone(id: Int)
  case remove(id: Int)
  case edit(id: Int, text: String)

  /// Adds items with consecutive IDs. One action, and so one change of the journal: an import is all there or not at all.
  case `import`(firstID: Int, texts: [String])

  /// Takes the last change back, which was of this item, or of an import that began with it.
  case undo(id: Int)

  /// Brings the change back that was undone last, which was of this item, or of an import that began with it.
  case redo(id: Int)
}
