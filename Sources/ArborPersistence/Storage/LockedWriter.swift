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

    /// `true` while a state with changes is written: an entry behind it could not be read again before it is there.
    var isWritingState = false

    /// `true` while the right to write is given back.
    var isClosed = false
  }

  private let content = Protected(Content())

  /// Ends when the state with changes is written that was begun.
  private let states = DispatchGroup()

  /// `true` if there is a writer.
  var exists: Bool { content.withLock { $0.writer != nil } }

  /// `true` if the log cannot be continued.
  var needsState: Bool { content.withLock { $0.writer?.needsState == true } }

  /// The sizes of the last state and of the logs that follow it, and their number.
  var sizes: (state: Int, logs: Int, logCount: Int) {
    content.withLock { content in
      content.writer.map { ($0.stateSize, $0.logSize, $0.logCount) } ?? (0, 0, 0)
    }
  }

  func replace(by writer: FolderWriter?) {
    let old = content.withLock { content in
      defer { (content.writer, content.beginning) = (writer, nil) }
      return content.writer
    }
    withExtendedLifetime(old) {}
  }

  /// Stops writing, or begins again.
  func setClosed(_ isClosed: Bool) {
    content.withLock { $0.isClosed = isClosed }
  }

  /// Appends entries, and makes them durable.
  ///
  /// - Parameter beginning: The entry with which a log must begin in which they are; nil if there is none.
  /// - Returns: `false` if a state must be written instead.
  /// - Throws: ``StorageError/closed``; ``StorageError/changedElsewhere`` if there is no writer; the error of a file.
  func append(_ records: [[UInt8]], beginning: [UInt8]? = nil) throws(StorageError) -> Bool {
    var outcome = Outcome.appended
    repeat {
      if outcome == .postponed { states.wait() }
      try attempt { content throws(FileError) in
        outcome = try Self.append(records, beginning, to: &content)
        return content.writer != nil
      }
    } while outcome == .postponed
    if outcome == .closed { throw .closed }
    return outcome == .appended
  }

  private enum Outcome {
    case appended, closed, needsState

    /// A state is being written.
    case postponed
  }

  private static func append(
    _ records: [[UInt8]],
    _ beginning: [UInt8]?,
    to content: inout Content
  ) throws(FileError) -> Outcome {
    if content.isClosed { return .closed }
    if content.isWritingState { return .postponed }
    guard let writer = content.writer, !writer.needsState else { return .needsState }
    if !records.isEmpty, let beginning,
      writer.log == nil || content.beginning?.log != writer.log || content.beginning?.bytes != beginning
    {
      try writer.append([beginning])
      content.beginning = writer.log.map { (beginning, $0) }
    }
    if !records.isEmpty { try writer.append(records) }
    try writer.sync()
    return .appended
  }

  /// Notes that all entries so far are durable.
  func noteEnd() throws(StorageError) {
    try attempt { content throws(FileError) in
      try content.writer?.noteEnd()
      return true
    }
  }

  /// Begins a state; nil if there is no writer.
  func beginState(hasChanges: Bool) -> FolderWriter.Draft? {
    content.withLock { content in
      guard let draft = content.writer?.beginState(hasChanges: hasChanges) else { return nil }
      if hasChanges {
        content.isWritingState = true
        states.enter()
      }
      return draft
    }
  }

  /// Takes over a state that was written.
  ///
  /// - That older files could not be removed is told, and is no failure: they are removed with the next state.
  func finish(_ draft: FolderWriter.Draft, size: Int, telling problems: ProblemStreams) {
    defer { end(draft) }
    do throws(StorageError) {
      try attempt { content throws(FileError) in
        try content.writer?.finish(draft, size: size)
        return true
      }
    } catch {
      problems.tell(error)
    }
  }

  func abandon(_ draft: FolderWriter.Draft) {
    content.withLock { $0.writer?.abandon(draft) }
    end(draft)
  }

  private func end(_ draft: FolderWriter.Draft) {
    guard draft.hasChanges else { return }
    content.withLock { $0.isWritingState = false }
    states.leave()
  }

  /// Says that a state must be written.
  func requireState() {
    content.withLock { $0.writer?.requireState() }
  }

  /// Returns `true` if nobody else has written into the folder.
  func isAsLeft() throws(StorageError) -> Bool {
    var isAsLeft = false
    try attempt { content throws(FileError) in
      isAsLeft = try content.writer?.isAsLeft() ?? true
      return true
    }
    return isAsLeft
  }

  private func attempt(_ body: (inout Content) throws(FileError) -> Bool) throws(StorageError) {
    let result = content.withLock { content in
      Result { () throws(FileError) -> Bool in try body(&content) }
    }
    switch result {
    case .success(true): return
    case .success(false): throw .changedElsewhere
    case .failure(let error): throw .file(error)
    }
  }
}
