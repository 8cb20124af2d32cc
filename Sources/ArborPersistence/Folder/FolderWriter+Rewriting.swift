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

  /// Appends entries and makes them durable. If that fails they are taken out of the log, as far as that can be brought
  /// about: a process that is killed before it has written a state leaves none of them.
  package func appendDurably(_ records: [[UInt8]]) throws(FileError) {
    let before = lastLog.map { (number: $0.number, length: $0.length) }
    do throws(FileError) {
      try append(records)
      try sync()
    } catch {
      // Without the lock, others may have written there.
      guard error.reason != .lockLost, let log = lastLog else { throw error }
      // A log that was begun for them has its header alone.
      let length = before?.number == log.number ? before?.length : FrameFileHeader.length
      if let length, (try? log.file.truncate(to: length)) != nil { lastLog?.length = length }
      throw error
    }
  }
}
