internal import Arbor
internal import ArborPersistence
public import Foundation

/// A log in memory, for tests, previews, and clients of one process. You can make its connection fail.
///
/// ```swift
/// let log = MemoryLog()
/// log.faults = .isDown  // Every call throws LogError.unreachable.
/// ```
///
/// - Cost: actions are kept until they are compacted; reading after a position only costs the actions that are read.
public final class MemoryLog: OrderedLog {
  private struct Content: Sendable {
    var id = UUID()
    var reducerVersion: Int?

    /// The actions after ``compactedEnd``.
    var actions: [LoggedAction] = []
    var compactedEnd = 0
    var numbers: [LogClient: Int] = [:]

    /// The last position that each client has read, and the time of its last note.
    var readers: [LogClient: (position: Int, time: TreeTime)] = [:]
    var snapshot: LogSnapshot?
    var faults: LogFaults = []

    var end: Int { compactedEnd + actions.count }
  }

  private let content = Protected(Content())
  private let signalStreams = LogSignal.makeBroadcast()
  private let lease: Duration
  private let time: @Sendable () -> TreeTime

  /// Makes an empty log.
  ///
  /// - Parameters:
  ///   - lease: The time for which a client counts as connected after its last note.
  ///   - clock: The clock that measures the lease.
  public init(lease: Duration = .seconds(600), clock: any Clock<Duration> = ContinuousClock()) {
    self.lease = lease
    time = TreeTime.stopwatch(on: clock)
  }

  /// The faults of the connection to the log; initially none.
  public var faults: LogFaults {
    get { content.withLock { $0.faults } }
    set { content.withLock { $0.faults = newValue } }
  }

  /// Replaces this log with an empty one that has another id.
  public func replace() {
    let old = content.withLock { content in
      let old = content
      content = Content()
      content.faults = old.faults
      return old
    }
    withExtendedLifetime(old) {}
    signalStreams.tell(.appended)
  }

  /// Finds the log, or makes it.
  ///
  /// - Parameters:
  ///   - client: The connecting client, which counts as connected from now on.
  ///   - reducerVersion: The reducer version of a new log. An existing log keeps its own.
  /// - Throws: ``LogError/unreachable(_:)`` if the log cannot be reached; ``LogError/refused(_:)`` if a new log would have a
  ///   version below 0.
  public func connect(_ client: LogClient, reducerVersion: Int) async throws(LogError) -> LogDescription {
    try perform { content throws(LogError) in
      let version = content.reducerVersion ?? reducerVersion
      guard version >= 0 else { throw .refused("a reducer of version \(version)") }
      content.reducerVersion = version
      content.readers[client] = (content.readers[client]?.position ?? 0, time())
      return LogDescription(
        id: content.id,
        reducerVersion: version,
        end: content.end,
        compactedEnd: content.compactedEnd,
        lastNumber: content.numbers[client] ?? 0,
        lease: lease
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
    // Also after an error, because the actions may be in the log even if the answer was lost.
    defer { tell(.appended) }
    try perform(in: log) { content throws(LogError) in
      let actions = try batch.placed(behind: content.numbers[batch.client] ?? 0, end: content.end)
      guard let last = actions.last else { return }
      content.actions += actions
      content.numbers[batch.client] = last.number
    }
  }

  /// Returns the actions after a position, in order.
  ///
  /// - Parameters:
  ///   - position: The position after which to read; 0 for all actions.
  ///   - count: The maximum number of actions; a number below 1 counts as 1.
  ///   - log: The id of the log.
  /// - Throws: ``LogError/compacted(through:)`` if some of them were removed; and the errors of ``snapshot(in:)``.
  public func actions(behind position: Int, atMost count: Int, in log: UUID) async throws(LogError) -> [LoggedAction] {
    try perform(in: log) { content throws(LogError) in
      guard position >= content.compactedEnd else { throw .compacted(through: content.compactedEnd) }
      return Array(content.actions.dropFirst(position - content.compactedEnd).prefix(max(count, 1)))
    }
  }

  /// Returns the newest snapshot; nil if there is none.
  ///
  /// - Parameter log: The id of the log.
  /// - Throws: ``LogError/anotherLog(_:)`` if another log is in its place; ``LogError/unreachable(_:)`` if no log can be
  ///   reached.
  public func snapshot(in log: UUID) async throws(LogError) -> LogSnapshot? {
    try perform(in: log) { $0.snapshot }
  }

  /// Saves a snapshot, unless the log has one that is at least as new.
  ///
  /// - Parameters:
  ///   - snapshot: The snapshot.
  ///   - log: The id of the log.
  /// - Throws: ``LogError/refused(_:)`` for a position that the log doesn't have; and the errors of ``snapshot(in:)``.
  public func save(_ snapshot: LogSnapshot, in log: UUID) async throws(LogError) {
    try perform(in: log) { content throws(LogError) in
      try snapshot.check(end: content.end)
      if snapshot.position > content.snapshot?.position ?? -1 { content.snapshot = snapshot }
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
    try perform(in: log) { $0.readers[client] = (max(position, 0), time()) }
  }

  /// Removes the actions up to the newest snapshot, except for those that a connected client hasn't read.
  ///
  /// - Parameter log: The id of the log.
  /// - Throws: The errors of ``snapshot(in:)``.
  public func compact(_ log: UUID) async throws(LogError) {
    try perform(in: log) { content in
      let now = time().duration
      content.readers = content.readers.filter { now - $0.value.time.duration <= lease }
      let read = content.readers.values.map(\.position).min() ?? .max
      let end = min(content.snapshot?.position ?? 0, read)
      guard end > content.compactedEnd else { return }
      content.actions.removeFirst(end - content.compactedEnd)
      content.compactedEnd = end
    }
  }

  /// Returns a stream of the signals that the log sends from now on.
  public func signals() -> AsyncStream<LogSignal> { signalStreams.stream() }

  /// Sends a message to the signals of all clients.
  ///
  /// - Parameters:
  ///   - message: The bytes of the message, at most ``LogError/longestMessage``.
  ///   - log: The id of the log.
  /// - Throws: ``LogError/messageTooLong(_:)`` for more bytes; and the errors of ``snapshot(in:)``.
  public func broadcast(_ message: Data, in log: UUID) async throws(LogError) {
    try LogError.requireLength(of: message)
    try perform(in: log) { _ in }
    tell(.message(message))
  }

  // MARK: The connection

  @inline(never)  // Async functions call it, and it locks.
  private func tell(_ signal: LogSignal) {
    let faults = faults
    guard faults.isDisjoint(with: [.isDown, .losesSignals]) else { return }
    signalStreams.tell(signal)
    if faults.contains(.doublesSignals) { signalStreams.tell(signal) }
  }

  /// Calls a body with the content, unless the connection is down.
  private func perform<Value>(
    in log: UUID? = nil,
    _ body: (inout Content) throws(LogError) -> Value
  ) throws(LogError) -> Value {
    let (result, faults) = content.withLock { content in
      (Self.result(in: log, of: body, on: &content), content.faults)
    }
    guard faults.isDisjoint(with: [.isDown, .losesAnswers]) else { throw .unreachable("the connection is down") }
    return try result.get()
  }

  private static func result<Value>(
    in log: UUID?,
    of body: (inout Content) throws(LogError) -> Value,
    on content: inout Content
  ) -> Result<Value, LogError> {
    guard !content.faults.contains(.isDown) else { return .failure(.unreachable("the connection is down")) }
    guard log == nil || log == content.id else { return .failure(.anotherLog(content.id)) }
    return Result { () throws(LogError) in try body(&content) }
  }
}

/// Faults to simulate in the connection to a ``MemoryLog``.
public struct LogFaults: OptionSet, Sendable {
  /// One bit for each fault.
  public let rawValue: Int

  /// Makes faults from their bits.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// No call reaches the log.
  public static let isDown = LogFaults(rawValue: 1)

  /// Each call takes effect, but its answer is lost.
  public static let losesAnswers = LogFaults(rawValue: 2)

  /// No signal arrives.
  public static let losesSignals = LogFaults(rawValue: 4)

  /// Each signal arrives twice.
  public static let doublesSignals = LogFaults(rawValue: 8)
}
