internal import Arbor
internal import Dispatch

/// The writer of a storage, behind a lock: a journal may write an action before it is reduced, on the tree's queue.
///
/// - The lock is held while the system writes.
final class LockedWriter: Sendable {
  private struct Content: Sendable {
    var writer: FolderWriter?

    /// The beginning of a log, and the number of the log that has it.
    var beginning: (bytes: [UInt8], log: UInt64)?

    /// The load of the journal whose actions may be written ahead; nil if there is none.
    var journal: Int?

    /// `true` if the parts that these actions change are not stored, because they were erased.
    var lacksParts = false

    /// The number of those who write a state with changes or read the files: an entry that is written meanwhile could not
    /// be read again, or is missing in what they have read.
    var holds = 0

    /// `true` while the right to write is given back.
    var isClosed = false
  }

  private let content = Protected(Content())

  /// Ends when nobody holds the writer.
  private let holds = DispatchGroup()

  /// `true` if there is a writer.
  var exists: Bool { content.withLock { $0.writer != nil } }

  /// `true` if the log cannot be continued.
  var needsState: Bool { content.withLock { $0.writer?.needsState == true } }

  /// `true` if the files have more entries than were written.
  func isBehind(_ contents: FolderContents) -> Bool {
    content.withLock { content in content.writer.map { $0.entry < contents.entry } ?? false }
  }

  /// The sizes of the last state and of the logs that follow it, and their number.
  var sizes: (state: Int, logs: Int, logCount: Int) {
    content.withLock { content in
      content.writer.map { ($0.stateSize, $0.logSize, $0.logCount) } ?? (0, 0, 0)
    }
  }

  func replace(by writer: FolderWriter?) {
    let old = content.withLock { content in
      defer { (content.writer, content.beginning) = (writer, nil) }
      if writer == nil { content.journal = nil }
      return content.writer
    }
    withExtendedLifetime(old) {}
  }

  /// Stops writing, or begins again.
  func setClosed(_ isClosed: Bool) {
    content.withLock { $0.isClosed = isClosed }
  }

  /// Sets the load of the journal whose actions may be written ahead.
  func setJournal(_ load: Int?) {
    content.withLock { content in
      // The parts of a new load are stored, or are written at once.
      if load != nil, load != content.journal { content.lacksParts = false }
      content.journal = load
    }
  }

  /// `true` if the parts that the actions of the journal change are not stored, because they were erased.
  var lacksParts: Bool { content.withLock { $0.lacksParts } }

  /// Notes that these parts are in a state that was begun.
  func noteParts() {
    content.withLock { $0.lacksParts = false }
  }

  // MARK: Entries

  /// Appends entries, and makes them durable.
  ///
  /// - Parameter beginning: The entry with which a log must begin in which they are; nil if there is none.
  /// - Returns: `false` if a state must be written instead.
  /// - Throws: ``StorageError/closed``, or the error of a file.
  func append(_ records: [[UInt8]], beginning: [UInt8]?) throws(StorageError) -> Bool {
    try attempt { content in
      if content.isClosed { throw StorageError.closed }
      return try Self.append(records, beginning, to: &content)
    }
  }

  /// The outcome of writing an action ahead.
  enum AheadOutcome {
    case appended

    /// The entry with all parts must be written before it.
    case partsNeeded

    /// A state must be written, because something has failed.
    case stateNeeded
  }

  /// Appends an action before it is reduced, and makes it durable. On the queue of its tree, and not on the storage's:
  /// waits until nobody holds the writer.
  ///
  /// - Parameters:
  ///   - parts: The entry with all parts as they are before the action; nil if what is stored leads to them.
  ///   - beginning: The entry with which a log must begin in which it is.
  ///   - load: The load of its journal.
  /// - Throws: ``StorageError/closed``; ``StorageError/loadedAgain``; the error of a file.
  func appendAhead(
    _ record: [UInt8],
    behind parts: [UInt8]?,
    beginning: [UInt8],
    ofLoad load: Int
  ) throws(StorageError) -> AheadOutcome {
    while true {
      holds.wait()
      let outcome: AheadOutcome? = try attempt { content in
        if content.holds > 0 { return nil }
        if content.isClosed { throw StorageError.closed }
        // A store whose parts were loaded again is outdated: the next start would reduce its actions all the same.
        if content.journal != load { throw content.writer == nil ? StorageError.changedElsewhere : .loadedAgain }
        if content.lacksParts, parts == nil { return .partsNeeded }
        let records = parts.map { [$0, record] } ?? [record]
        guard try Self.append(records, beginning, to: &content, takesBack: true) else { return .stateNeeded }
        content.lacksParts = false
        return .appended
      }
      if let outcome { return outcome }
    }
  }

  /// - Parameter takesBack: `true` if what cannot be made durable is taken out again.
  private static func append(
    _ records: [[UInt8]],
    _ beginning: [UInt8]?,
    to content: inout Content,
    takesBack: Bool = false
  ) throws(FileError) -> Bool {
    guard let writer = content.writer, !writer.needsState else { return false }
    guard !records.isEmpty else {
      try writer.sync()
      return true
    }
    let begun = writer.log == nil || content.beginning?.log != writer.log ? nil : content.beginning?.bytes
    let all = if let beginning, begun != beginning { [beginning] + records } else { records }
    if takesBack {
      try writer.appendDurably(all)
    } else {
      try writer.append(all)
      try writer.sync()
    }
    if let beginning { content.beginning = writer.log.map { (beginning, $0) } }
    return true
  }

  /// Notes that all entries so far are durable.
  func noteEnd() throws(StorageError) {
    try attempt { content in try content.writer?.noteEnd() }
  }

  // MARK: States

  /// Lets no action be written ahead until ``release()``.
  func hold() {
    content.withLock { $0.holds += 1 }
    holds.enter()
  }

  /// Ends a ``hold()``.
  func release() {
    content.withLock { $0.holds -= 1 }
    holds.leave()
  }

  /// Begins a state; nil if there is no writer.
  ///
  /// - Parameter isEmpty: `true` if it has no parts in it, because they are erased.
  func beginState(hasChanges: Bool, isEmpty: Bool = false) -> FolderWriter.Draft? {
    content.withLock { content in
      guard let draft = content.writer?.beginState(hasChanges: hasChanges) else { return nil }
      if isEmpty { content.lacksParts = true }
      if hasChanges {
        content.holds += 1
        holds.enter()
      }
      return draft
    }
  }

  /// Takes over a state that was written.
  ///
  /// - Throws: If older files could not be removed. They are removed with the next state.
  func finish(_ draft: FolderWriter.Draft, size: Int) throws(StorageError) {
    defer { end(draft) }
    try attempt { content in try content.writer?.finish(draft, size: size) }
  }

  /// The same where such files are no failure, and are told.
  func finish(_ draft: FolderWriter.Draft, size: Int, telling problems: Broadcast<StorageError>) {
    do throws(StorageError) {
      try finish(draft, size: size)
    } catch {
      problems.tell(error)
    }
  }

  func abandon(_ draft: FolderWriter.Draft) {
    content.withLock { $0.writer?.abandon(draft) }
    end(draft)
  }

  private func end(_ draft: FolderWriter.Draft) {
    if draft.hasChanges { release() }
  }

  /// Says that a state must be written.
  func requireState() {
    content.withLock { $0.writer?.requireState() }
  }

  /// Returns `true` if nobody else has written into the folder.
  func isAsLeft() throws(StorageError) -> Bool {
    try attempt { content in try content.writer?.isAsLeft() ?? true }
  }

  private func attempt<Value>(_ body: (inout Content) throws -> Value) throws(StorageError) -> Value {
    let result = content.withLock { content in Result { try body(&content) } }
    do {
      return try result.get()
    } catch {
      throw StorageError(reading: error)
    }
  }
}
