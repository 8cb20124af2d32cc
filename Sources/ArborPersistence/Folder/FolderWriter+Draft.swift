extension FolderWriter {
  /// A state that is being written. It may be written on another thread, while entries are appended.
  package struct Draft: Sendable {
    private let folder: any FileFolder
    private let durability: Durability
    private let salt: UInt64

    /// The number of its file.
    let number: UInt64

    /// The number of the last entry that the state has in it.
    package let entry: UInt64

    /// `true` if the state is an entry itself.
    let hasChanges: Bool

    /// The size of the logs that the state makes superfluous.
    let logSize: Int

    /// The number of times that a state was required before this one was begun.
    let failures: Int

    init(
      in folder: any FileFolder,
      _ durability: Durability,
      number: UInt64,
      salt: UInt64,
      entry: UInt64,
      hasChanges: Bool,
      logSize: Int,
      failures: Int
    ) {
      (self.folder, self.durability) = (folder, durability)
      (self.number, self.salt, self.entry) = (number, salt, entry)
      (self.hasChanges, self.logSize, self.failures) = (hasChanges, logSize, failures)
    }

    /// The name of its file.
    var name: FileName { FileName(number, .state) }

    /// The name of its file while it is written.
    var unfinishedName: FileName { FileName(number, .unfinished) }

    /// Writes the state. When this returns, it is durable, and found by who opens the folder.
    ///
    /// - Returns: Its size in bytes.
    package func write(_ parts: [StoredPart]) throws(FileError) -> Int {
      try name.requireBound(in: folder)
      guard entry < Frame.bound else { throw .numberTooGreat(.create, folder.path(of: name.text)) }
      // Of each part the frame has its name and a few numbers, too.
      guard parts.allSatisfy({ $0.size < Frame.longest - 1 << 20 }) else { throw .tooLong }
      let bytes = StateFile(entry: entry, parts: parts).bytes(salt: salt)
      try folder.make(unfinishedName.text, bytes, durability, renamedTo: name.text)
      return bytes.count
    }
  }
}

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
