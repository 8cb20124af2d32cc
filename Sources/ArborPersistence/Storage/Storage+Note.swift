extension Storage {
  /// Opens a note in the folder; nil if the folder is in memory, or the note cannot be opened.
  package func openNote(_ name: String) -> (any FolderNote)? { try? core.folder.openNote(name) }
}
