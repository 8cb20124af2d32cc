internal import Arbor
public import ArborPersistence
internal import Dispatch
public import Foundation

/// A log in a folder, for several processes of one machine.
///
/// - **Order.** One process at a time writes, under a lock that the system gives back when a process ends, however it ends.
/// - **Durability** as with a storage: by default what was appended survives a loss of power. What a killed process has
///   left in part is cut off by the next one that appends.
/// - **Hints.** The folder is looked at twenty times a second while somebody listens to ``signals()``.
/// - Cost: an append costs a sync, whatever its length. To open a log reads what was not compacted.
public final class FileLog: OrderedLog, @unchecked Sendable {
  // Sendable because all is constant and sendable but the two objects of files, which are used on the queue alone.

  /// The number of attempts to take the lock before a call fails. They are 200 microseconds apart, so they take about ten
  /// seconds. On a busy machine every owner of the lock takes longer, and so do the attempts: a limit of time would fail.
  private static let mostAttempts = 50_000

  private let folder: any FileFolder
  private let lease: Duration

  /// The seconds since some moment, which is the same for all processes.
  private let time: @Sendable () -> Int
  private let queue = DispatchQueue(label: "arbor.file-log")
  private let files: LogFiles
  private let messages: MessageFiles
  private let signalStreams = LogSignal.makeBroadcast()
  private let listener = Protected<Task<Void, Never>?>(nil)

  /// Opens the log in a folder, which is made if there is none.
  ///
  /// - Parameters:
  ///   - folder: A folder of its own.
  ///   - durability: The durability of the actions that are appended.
  ///   - lease: The time for which a client counts as connected after it was heard of last, by the clock of the day; from a
  ///     second to a year, in whole seconds.
  /// - Throws: ``LogError/unreachable(_:)``, with the reason, if the folder can neither be opened nor made.
  public convenience init(at folder: URL, durability: Durability = .full, lease: Duration = .seconds(600))
    throws(LogError)
  {
    do throws(FileError) {
      self.init(try DiskFolder(making: folder.path, durability), durability, lease: lease)
    } catch {
      throw LogError(file: error)
    }
  }

  package init(
    _ folder: any FileFolder,
    _ durability: Durability,
    lease: Duration = .seconds(600),
    fullLength: Int = 4 << 20,
    time: @escaping @Sendable () -> Int = { Int(Date().timeIntervalSince1970) }
  ) {
    self.folder = folder
    let parts = min(max(lease, .seconds(1)), .seconds(365 * 86_400)).components
    self.lease = .seconds(parts.seconds + (parts.attoseconds > 0 ? 1 : 0))
    self.time = time
    files = LogFiles(folder, durability, fullLength: fullLength)
    messages = MessageFiles(folder)
  }

  deinit {
    listener.withLock { $0 }?.cancel()
  }

  /// Finds the log, or makes it.
  ///
  /// - Parameters:
  ///   - client: The one that asks, which counts as connected from now on.
  ///   - reducerVersion: The version of the reducer that a new log is to name. One that exists keeps its own.
  /// - Throws: ``LogError/unreachable(_:)`` if the log cannot be reached; ``LogError/refused(_:)`` if it is damaged,
  ///   or if a new log would have a version below 0.
  public func connect(_ client: LogClient, reducerVersion: Int) async throws(LogError) -> LogDescription {
    try await locked { log in
      let files = log.files
      if files.identity == nil {
        guard reducerVersion >= 0 else { throw LogError.refused("a reducer of version \(reducerVersion)") }
        try files.make(reducerVersion: reducerVersion)
      }
      guard let identity = files.identity else { throw LogError.anotherLog(nil) }
      try files.note(nil, readBy: client, second: log.time())
      return LogDescription(
        id: identity.id,
        reducerVersion: identity.reducerVersion,
        end: files.end,
        compactedEnd: files.compactedEnd,
        lastNumber: files.numbers[client] ?? 0,
        lease: log.lease
      )
    }
  }

  /// Appends actions, all or none.
  ///
  /// - Parameters:
  ///   - batch: The actions. What has a number that the log has already is left out.
  ///   - log: The id of the log.
  /// - Throws: ``LogError/missingActions(after:)`` if numbers before those of the batch are not in the log;
  ///   ``LogError/refused(_:)`` for a number below 1; otherwise as ``snapshot(in:)``.
  public func append(_ batch: ActionBatch, to log: UUID) async throws(LogError) {
    try await locked(in: log) { log in
      try log.files.append(try batch.placed(behind: log.files.numbers[batch.client] ?? 0, end: log.files.end))
    }
    signalStreams.tell(.appended)
  }

  /// The actions behind a position, in order.
  ///
  /// - Parameters:
  ///   - position: The position of the last action that is not wanted; 0 for all.
  ///   - count: The greatest number that is wanted, at least 1; a lower number counts as 1. Fewer come of
  ///     actions with many bytes.
  ///   - log: The id of the log.
  /// - Throws: ``LogError/compacted(through:)`` if some of them are there no more; otherwise as ``snapshot(in:)``.
  public func actions(behind position: Int, atMost count: Int, in log: UUID) async throws(LogError) -> [LoggedAction] {
    let count = max(count, 1)
    return try await perform { this in
      let files = this.files
      guard try files.isKnown(to: files.names()), files.identity?.id == log else {
        return try this.withLock(in: log) { try files.actions(behind: position, atMost: count) }
      }
      return try files.actions(behind: position, atMost: count)
    }
  }

  /// The newest snapshot; nil if there is none.
  ///
  /// - Parameter log: The id of the log.
  /// - Throws: ``LogError/anotherLog(_:)`` if another log is in its place; ``LogError/unreachable(_:)`` if none can be
  ///   reached.
  public func snapshot(in log: UUID) async throws(LogError) -> LogSnapshot? {
    try await locked(in: log) { log in try log.files.snapshot() }
  }

  /// Saves a snapshot, unless there is one that is as new.
  ///
  /// - Parameters:
  ///   - snapshot: The snapshot. One of a position that the log doesn't have is refused.
  ///   - log: The id of the log.
  /// - Throws: ``LogError/refused(_:)`` for a position that the log doesn't have; otherwise as ``snapshot(in:)``.
  public func save(_ snapshot: LogSnapshot, in log: UUID) async throws(LogError) {
    try await locked(in: log) { log in
      try snapshot.check(end: log.files.end)
      try log.files.save(snapshot)
    }
  }

  /// Notes that a client is connected, and what it has read.
  ///
  /// - Parameters:
  ///   - position: The position of the last action that the client has read; 0 if it has read none. A lower one counts as 0.
  ///   - client: The client.
  ///   - log: The id of the log.
  /// - Throws: As ``snapshot(in:)``.
  public func note(_ position: Int, readBy client: LogClient, in log: UUID) async throws(LogError) {
    try await locked(in: log) { log in
      try log.files.note(max(position, 0), readBy: client, second: log.time())
    }
  }

  /// Removes the actions up to the newest snapshot, but for those that a connected client has not read.
  ///
  /// - Files are removed, each with all of its actions: some more may stay than that.
  /// - Parameter log: The id of the log.
  /// - Throws: As ``snapshot(in:)``.
  public func compact(_ log: UUID) async throws(LogError) {
    try await locked(in: log) { log in
      let (now, lease) = (log.time(), Int(log.lease.components.seconds))
      // Within a second of the whole ones; one that was heard of long after now had a clock that was ahead.
      try log.files.compact(heardIn: now - lease - 1...now + lease)
    }
  }

  /// Sends a message to the signals of all clients.
  ///
  /// - Parameters:
  ///   - message: The bytes of the message, at most ``LogError/longestMessage``.
  ///   - log: The id of the log.
  /// - Throws: ``LogError/messageTooLong(_:)`` for more bytes; otherwise as ``snapshot(in:)``.
  public func broadcast(_ message: Data, in log: UUID) async throws(LogError) {
    try LogError.requireLength(of: message)
    let before = try await locked(in: log) { log in try log.messages.send(message, log.files.names()) }
    for message in before + [message] { signalStreams.tell(.message(message)) }
  }

  // MARK: Signals

  /// The stream of what happens in the log from now on.
  public func signals() -> AsyncStream<LogSignal> {
    let stream = signalStreams.stream()
    listener.withLock { listener in
      guard listener == nil else { return }
      listener = Task { [weak self] in
        while !Task.isCancelled, await self?.lookUnlessUnheard() == true {
          try? await Task.sleep(for: .milliseconds(50))
        }
      }
    }
    return stream
  }

  /// Looks for what others have done. Returns `false` if nobody listens any more, after which it is not called again.
  private func lookUnlessUnheard() async -> Bool {
    // `signals()` adds a stream first, and then looks for the task under the same lock.
    let isHeard = listener.withLockInAsync { listener in
      if signalStreams.hasNoStreams { listener = nil }
      return listener != nil
    }
    if isHeard { await look() }
    return isHeard
  }

  /// Looks for what others have done, and tells of it.
  private func look() async {
    let seen = try? await perform { log in
      let names = try log.files.names()
      return (isKnown: try log.files.isKnown(to: names), messages: try log.messages.readOn(names))
    }
    guard let seen else { return }
    for message in seen.messages { signalStreams.tell(.message(message)) }
    if !seen.isKnown { signalStreams.tell(.appended) }
  }

  // MARK: The queue and the lock

  private func locked<Value: Sendable>(
    in log: UUID? = nil,
    _ body: @escaping @Sendable (FileLog) throws -> Value
  ) async throws(LogError) -> Value {
    try await perform { this in
      try this.withLock(in: log) { try body(this) }
    }
  }

  private func perform<Value: Sendable>(
    _ body: @escaping @Sendable (FileLog) throws -> Value
  ) async throws(LogError) -> Value {
    do {
      return try await withCheckedThrowingContinuation { continuation in
        queue.async { continuation.resume(with: Result { try body(self) }) }
      }
    } catch {
      throw LogError(file: error)
    }
  }

  /// Takes the lock, reads what others have done, and does something.
  private func withLock<Value>(in log: UUID?, _ body: () throws -> Value) throws -> Value {
    let lock = try takeLock()
    defer { withExtendedLifetime(lock) {} }
    try files.refresh()
    guard log == nil || log == files.identity?.id else { throw LogError.anotherLog(files.identity?.id) }
    return try body()
  }

  private func takeLock() throws(FileError) -> any FolderLock {
    var attempts = 0
    while true {
      do throws(FileError) {
        return try folder.lock(for: "process \(ProcessInfo.processInfo.processIdentifier)")
      } catch {
        attempts += 1
        guard case .inUse = error.reason, attempts < Self.mostAttempts else { throw error }
        // On a queue of its own: nobody else waits for that.
        usleep(200)
      }
    }
  }
}
