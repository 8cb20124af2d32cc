internal import Arbor

/// The writer of a storage, behind a lock: a journal may write an action before it is reduced, on the tree's queue.
///
/// - The lock is held while the system writes.
final class LockedWriter: Sendable {
  private struct Content: Sendable {
    var writer: FolderWriter?

    /// The beginning that the open log has.
    var beginning: [UInt8]?

    /// `true` while the right to write is given back.
    var isClosed = false
  }

  private let content = Protected(Content())

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
    var isAppended = true
    if content.withLock({ $0.isClosed }) { throw .closed }
    try attempt { content throws(FileError) in
      guard let writer = content.writer else { return false }
      guard !writer.needsState else {
        isAppended = false
        return true
      }
      if !records.isEmpty, let beginning, writer.beginsLog || content.beginning != beginning {
        content.beginning = beginning
        try writer.append([beginning])
      }
      if !records.isEmpty { try writer.append(records) }
      try writer.sync()
      return true
    }
    return isAppended
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
    content.withLock { $0.writer?.beginState(hasChanges: hasChanges) }
  }

  func finish(_ draft: FolderWriter.Draft, size: Int) throws(StorageError) {
    try attempt { content throws(FileError) in
      try content.writer?.finish(draft, size: size)
      return true
    }
  }

  func abandon(_ draft: FolderWriter.Draft) {
    content.withLock { $0.writer?.abandon(draft) }
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
