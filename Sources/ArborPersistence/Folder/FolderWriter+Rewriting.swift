extension FolderWriter {
  /// Writes contents anew, as they were found: the parts as a state, and the actions behind it.
  package func rewrite(_ contents: FolderContents) throws(FileError) {
    let draft = beginState(hasChanges: true)
    do throws(FileError) {
      // The actions first: once the state is there, the files that have them are superfluous.
      if !contents.actions.isEmpty {
        try append(contents.actions.map(\.bytes))
        try sync()
      }
      let size = try draft.write(contents.parts)
      try finish(draft, size: size)
    } catch {
      abandon(draft)
      throw error
    }
  }
}
