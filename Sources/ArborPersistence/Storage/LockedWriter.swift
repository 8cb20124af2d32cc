internal import Arbor
internal import Dispatch

/// The writer of a storage, with a lock, because a journal may write an action on the tree's queue before it is
/// reduced.
///
/// - The lock is held while the system writes.
final class LockedWriter: Sendable {
  private struct Content: Sendable {
    var writer: FolderWriter?

    /// The first entry of a log, and the number of that log.
    var beginning: (bytes: [UInt8], log: UInt64)?

    /// The load of the journal whose actions may be written ahead; nil if there is none.
    var journal: Int?

    /// `true` if the parts that these actions change aren't stored, because they were erased.
    var lacksParts = false

    /// The number of operations that are writing a state with changes or reading the files. An entry that is written in
    /// the meantime couldn't be read again, or would be missing in the contents that were read.
    var holds = 0

    /// `true` while the storage has no write access.
    var isClosed = false
  }

  private let content = Protected(Content())

  /// The group of the holds.
  private let holds = DispatchGroup()

  /// `true` if there is a writer.
  var exists: Bool { content.withLock { $0.writer != nil } }

  /// `true` if the log can't be continued.
  var needsState: Bool { content.withLock { $0.writer?.needsState == true } }

  /// Returns `true` if the files have more entries than this writer has written.
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

  /// Stops writing, or allows it again.
  func setClosed(_ isClosed: Bool) {
    content.withLock { $0.isClosed = isClosed }
  }

  /// Sets the load of the journal whose actions may be written ahead.
  func setJournal(_ load: Int?) {
    content.withLock { content in
      // The parts of a new load are stored or are written at once.
      if load != nil, load != content.journal { content.lacksParts = false }
      content.journal = load
    }
  }

  /// `true` if the parts that the journal's actions change aren't stored, because they were erased.
  var lacksParts: Bool { content.withLock { $0.lacksParts } }

  /// Records that these parts are in a state that was begun.
  func noteParts() {
    content.withLock { $0.lacksParts = false }
  }

  // MARK: Entries

  /// Appends entries, and makes them durable.
  ///
  /// - Parameter beginning: The entry with which the log of these entries must begin; nil if there is none.
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

    /// The entry with all parts must be written first.
    case partsNeeded

    /// A state must be written first, because an operation has failed.
    case stateNeeded
  }

  /// Appends an action before it is reduced, and makes it durable. Called on the queue of its tree, not on the
  /// storage's: it waits until there are no holds.
  ///
  /// - Parameters:
  ///   - parts: The entry with all parts as they are before the action; nil if the stored data leads to these parts.
  ///   - beginning: The entry with which the log of the action must begin.
  ///   - load: The load of the action's journal.
  /// - Throws: ``StorageError/closed``, ``StorageError/loadedAgain``, or the error of a file.
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
        // A store whose parts were loaded again is outdated, but the next start would still reduce its actions.
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

  /// Appends entries, and makes them durable. Returns `false` if a state must be written instead.
  ///
  /// - Parameter takesBack: `true` if entries that can't be made durable must be removed again.
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

  /// Records that all entries so far are durable.
  func noteEnd() throws(StorageError) {
    try attempt { content in try content.writer?.noteEnd() }
  }

  // MARK: States

  /// Prevents actions from being written ahead until ``release()``.
  func hold() {
    content.withLock { $0.holds += 1 }
    holds.enter()
  }

  /// Ends a ``hold()``.
  func release() {
    content.withLock { $0.holds -= 1 }
    holds.leave()
  }

  /// Begins a state; returns nil if there is no writer.
  ///
  /// - Parameter isEmpty: `true` if the state has no parts, because they are erased.
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

  /// Completes a state that was written.
  ///
  /// - Throws: The error of older files that couldn't be removed. They are removed with the next state.
  func finish(_ draft: FolderWriter.Draft, size: Int) throws(StorageError) {
    defer { end(draft) }
    try attempt { content in try content.writer?.finish(draft, size: size) }
  }

  /// Completes a state that was written, and reports older files that couldn't be removed as problems.
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

  /// Records that a state must be written.
  func requireState() {
    content.withLock { $0.writer?.requireState() }
  }

  /// Returns `true` if the folder is unchanged since the writer's last operation.
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
