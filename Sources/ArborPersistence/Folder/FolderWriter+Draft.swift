extension FolderWriter {
  /// A state that is being written. It may be written on another thread while entries are appended.
  package struct Draft: Sendable {
    private let folder: any FileFolder
    private let durability: Durability
    private let salt: UInt64

    /// The number of the state's file.
    let number: UInt64

    /// The number of the last entry that the state contains.
    package let entry: UInt64

    /// `true` if the state itself counts as an entry.
    let hasChanges: Bool

    /// The size of the logs that the state makes superfluous.
    let logSize: Int

    /// The value of the writer's `failures` when this state was begun.
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

    /// The name of the state's file.
    var name: FileName { FileName(number, .state) }

    /// The name of the file while it is being written.
    var unfinishedName: FileName { FileName(number, .unfinished) }

    /// Writes the state. When this returns, the state is durable, and is found when the folder is opened.
    ///
    /// - Returns: The size of the state in bytes.
    package func write(_ parts: [StoredPart]) throws(FileError) -> Int {
      try name.requireBound(in: folder)
      guard entry < Frame.bound else { throw .numberTooGreat(.create, folder.path(of: name.text)) }
      // The frame of a part also contains its name and a few numbers.
      guard parts.allSatisfy({ $0.size < Frame.longest - 1 << 20 }) else { throw .tooLong }
      let bytes = StateFile(entry: entry, parts: parts).bytes(salt: salt)
      try folder.make(unfinishedName.text, bytes, durability, renamedTo: name.text)
      return bytes.count
    }
  }
}

extension FolderWriter {
  /// Writes contents again as they were read: the parts as a state, followed by the actions.
  package func rewrite(_ contents: FolderContents) throws(FileError) {
    let draft = beginState(hasChanges: true)
    do throws(FileError) {
      // The actions are written first: once the state exists, the files that contain them are superfluous.
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

  /// Appends entries and makes them durable. If that fails, it removes them from the log if possible, so that none
  /// remain if the process is killed before it has written a state.
  package func appendDurably(_ records: [[UInt8]]) throws(FileError) {
    let before = lastLog.map { (number: $0.number, length: $0.length) }
    do throws(FileError) {
      try append(records)
      try sync()
    } catch {
      // Without the lock, other processes may have written to the log.
      guard error.reason != .lockLost, let log = lastLog else { throw error }
      // A log that was created for these entries only has its header.
      let length = before?.number == log.number ? before?.length : FrameFileHeader.length
      if let length, (try? log.file.truncate(to: length)) != nil { lastLog?.length = length }
      throw error
    }
  }
}
