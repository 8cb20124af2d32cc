internal import Arbor
public import ArborPersistence
internal import Dispatch
public import Foundation

/// A log in a folder, for several processes of one machine.
///
/// ```swift
/// let log = try FileLog(at: URL(filePath: "/var/lib/board/log"))
/// ```
///
/// - **Order.** One process at a time writes, under a lock that the system releases when the process ends, for any reason.
/// - **Durability** works like a storage's: by default, appended actions survive a power failure. If a process is killed while
///   it appends, the next one that appends cuts off the incomplete rest.
/// - **Hints.** While a stream of ``signals()`` is in use, the folder is checked twenty times a second.
/// - Cost: an append costs one sync, regardless of its length. Opening a log reads everything that wasn't compacted.
public final class FileLog: OrderedLog, @unchecked Sendable {
  // Sendable because everything is constant and sendable, except for two objects that are only used on the queue.

  /// The number of attempts to take the lock before a call fails. They are 200 microseconds apart, so they take about ten
  /// seconds. A time limit would fail on a busy machine: there each owner keeps the lock longer, but the attempts take longer,
  /// too.
  private static let mostAttempts = 50_000

  private let folder: any FileFolder
  private let lease: Duration

  /// Returns the seconds since a fixed time that is the same for all processes.
  private let time: @Sendable () -> Int
  private let queue = DispatchQueue(label: "arbor.file-log")
  private let files: LogFiles
  private let messages: MessageFiles
  private let signalStreams = LogSignal.makeBroadcast()
  private let listener = Protected<Task<Void, Never>?>(nil)

  /// Opens the log in a folder, and makes the folder if it doesn't exist.
  ///
  /// - Parameters:
  ///   - folder: A folder that only this log uses.
  ///   - durability: The durability of appended actions.
  ///   - lease: The time for which a client counts as connected after its last note, by the wall clock; from one second to one
  ///     year, rounded up to whole seconds.
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
  ///   - client: The connecting client, which counts as connected from now on.
  ///   - reducerVersion: The reducer version of a new log. An existing log keeps its own.
  /// - Throws: ``LogError/unreachable(_:)`` if the log cannot be reached; ``LogError/refused(_:)`` if it is damaged, or if a
  ///   new log would have a version below 0.
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
  ///   - batch: The actions. Actions with a number that is already in the log are left out.
  ///   - log: The id of the log.
  /// - Throws: ``LogError/missingActions(after:)`` if numbers before the batch's are missing from the log;
  ///   ``LogError/refused(_:)`` for a number below 1; and the errors of ``snapshot(in:)``.
  public func append(_ batch: ActionBatch, to log: UUID) async throws(LogError) {
    try await locked(in: log) { log in
      try log.files.append(try batch.placed(behind: log.files.numbers[batch.client] ?? 0, end: log.files.end))
    }
    signalStreams.tell(.appended)
  }

  /// Returns the actions after a position, in order.
  ///
  /// - Parameters:
  ///   - position: The position after which to read; 0 for all actions.
  ///   - count: The maximum number of actions; a number below 1 counts as 1. Fewer actions are returned if they have many
  ///     bytes.
  ///   - log: The id of the log.
  /// - Throws: ``LogError/compacted(through:)`` if some of them were removed; and the errors of ``snapshot(in:)``.
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

  /// Returns the newest snapshot; nil if there is none.
  ///
  /// - Parameter log: The id of the log.
  /// - Throws: ``LogError/anotherLog(_:)`` if another log is in its place; ``LogError/unreachable(_:)`` if no log can be
  ///   reached.
  public func snapshot(in log: UUID) async throws(LogError) -> LogSnapshot? {
    try await locked(in: log) { log in try log.files.snapshot() }
  }

  /// Saves a snapshot, unless the log has one that is at least as new.
  ///
  /// - Parameters:
  ///   - snapshot: The snapshot.
  ///   - log: The id of the log.
  /// - Throws: ``LogError/refused(_:)`` for a position that the log doesn't have; and the errors of ``snapshot(in:)``.
  public func save(_ snapshot: LogSnapshot, in log: UUID) async throws(LogError) {
    try await locked(in: log) { log in
      try snapshot.check(end: log.files.end)
      try log.files.save(snapshot)
    }
  }

  /// Notes that a client is connected, and how far it has read.
  ///
  /// - Parameters:
  ///   - position: The position of the last action that the client has read; 0 if it has read none. A negative one counts as 0.
  ///   - client: The client.
  ///   - log: The id of the log.
  /// - Throws: The errors of ``snapshot(in:)``.
  public func note(_ position: Int, readBy client: LogClient, in log: UUID) async throws(LogError) {
    try await locked(in: log) { log in
      try log.files.note(max(position, 0), readBy: client, second: log.time())
    }
  }

  /// Removes the actions up to the newest snapshot, except for those that a connected client hasn't read.
  ///
  /// - Only whole files are removed, so some more actions may remain.
  /// - Parameter log: The id of the log.
  /// - Throws: The errors of ``snapshot(in:)``.
  public func compact(_ log: UUID) async throws(LogError) {
    try await locked(in: log) { log in
      let (now, lease) = (log.time(), Int(log.lease.components.seconds))
      // The seconds are rounded, so one more counts. A reader that is noted far in the future had a wrong clock.
      try log.files.compact(heardIn: now - lease - 1...now + lease)
    }
  }

  /// Sends a message to the signals of all clients.
  ///
  /// - Parameters:
  ///   - message: The bytes of the message, at most ``LogError/longestMessage``.
  ///   - log: The id of the log.
  /// - Throws: ``LogError/messageTooLong(_:)`` for more bytes; and the errors of ``snapshot(in:)``.
  public func broadcast(_ message: Data, in log: UUID) async throws(LogError) {
    try LogError.requireLength(of: message)
    try await locked(in: log) { log in
      log.tell(try log.messages.send(message, log.files.names()) + [message])
    }
  }

  // MARK: Signals

  /// Returns a stream of the signals that the log sends from now on.
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

  /// Checks for changes by other processes. Returns `false` if no stream is in use any more, and must not be called again then.
  private func lookUnlessUnheard() async -> Bool {
    // `signals()` first adds a stream, and then checks for the task under the same lock.
    let isHeard = listener.withLockInAsync { listener in
      if signalStreams.hasNoStreams { listener = nil }
      return listener != nil
    }
    if isHeard { await look() }
    return isHeard
  }

  /// Checks for changes by other processes, and sends signals for them.
  private func look() async {
    try? await perform { log in
      let names = try log.files.names()
      let isKnown = try log.files.isKnown(to: names)
      log.tell(try log.messages.readOn(names))
      if !isKnown { log.signalStreams.tell(.appended) }
    }
  }

  /// Sends signals of messages. Called on the queue, so that they keep the order in which they were read.
  private func tell(_ messages: [Data]) {
    for message in messages { signalStreams.tell(.message(message)) }
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

  /// Takes the lock, reads what other processes have written, and calls a body.
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
        // This blocks only the log's own queue.
        usleep(200)
      }
    }
  }
}
