/// A change to the list.
///
/// - It carries its IDs, so that the reducer stays pure.
/// - The journal contains these actions, one per line, as encoded by `Codable`: `{"add":{"id":1,"text":"Buy milk"}}`.
enum ListAction: Equatable, Sendable, Codable {
  case add(id: Int, text: String)
  case done(id: Int)
  case undone(id: Int)
  case remove(id: Int)
  case edit(id: Int, text: String)

  /// Adds items with consecutive IDs. It is one action, and so one change of the journal: an import is stored
  /// completely or not at all.
  case `import`(firstID: Int, texts: [String])

  /// Undoes the last change, which was made to this item, or to an import that began with it.
  case undo(id: Int)

  /// Redoes the last undone change, which was made to this item, or to an import that began with it.
  case redo(id: Int)
}
