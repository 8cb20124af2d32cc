internal import ArborPersistence
public import Foundation

/// A log that puts the actions of many clients into one order: a database, a file, or a service of your own.
///
/// - **Positions** start at 1 and have no gaps. They follow the order in which the actions became readable, so a client that
///   reads after the last position it knows misses nothing.
/// - **Numbers.** A client numbers its actions, starting at 1. The log ignores actions whose number it already has, so it is
///   safe to send a batch again after a lost answer. The numbers of each client follow each other without gaps.
/// - **Exactness.** A log returns actions byte for byte, with the same sender, number and version. Names that are equal as
///   strings may differ in their bytes. If a client's own action comes back changed, a copy of its outbox may have sent it. So
///   the first time, the client continues as another incarnation. The second time, it stops with
///   ``SyncStop/altered(position:)``.
/// - **Identity.** A log has an id. Each call names it, and throws ``LogError/anotherLog(_:)`` if another log is in its place.
///   So the content of one log is never mistaken for another's.
/// - **Threads.** Functions may be called from any thread, even several at once.
public protocol OrderedLog: Sendable {
  /// Finds the log, or makes it.
  ///
  /// - Parameters:
  ///   - client: The connecting client. It counts as connected from now on, with the position of its last note, or with
  ///     nothing read if there is none.
  ///   - reducerVersion: The reducer version of a new log. An existing log keeps its own.
  /// - Throws: ``LogError/unreachable(_:)`` if the log cannot be reached; ``LogError/refused(_:)`` if it is damaged.
  func connect(_ client: LogClient, reducerVersion: Int) async throws(LogError) -> LogDescription

  /// Appends actions, all or none. When this returns, they are as durable as anything in the log.
  ///
  /// - Parameters:
  ///   - batch: The actions. Actions with a number that is already in the log are left out.
  ///   - log: The id of the log.
  /// - Throws: ``LogError/missingActions(after:)`` if numbers before the batch's are missing from the log.
  func append(_ batch: ActionBatch, to log: UUID) async throws(LogError)

  /// Returns the actions after a position, in order; none if there are none yet. A result of fewer than `count` actions
  /// doesn't mean that the log ends there.
  ///
  /// - Parameters:
  ///   - position: The position after which to read; 0 for all actions.
  ///   - count: The maximum number of actions, at least 1.
  ///   - log: The id of the log.
  /// - Throws: ``LogError/compacted(through:)`` if some of them were removed.
  func actions(behind position: Int, atMost count: Int, in log: UUID) async throws(LogError) -> [LoggedAction]

  /// Returns the newest snapshot; nil if there is none.
  ///
  /// - Parameter log: The id of the log.
  /// - Throws: ``LogError/anotherLog(_:)`` if another log is in its place; ``LogError/unreachable(_:)`` if no log can be
  ///   reached.
  func snapshot(in log: UUID) async throws(LogError) -> LogSnapshot?

  /// Saves a snapshot.
  ///
  /// - Parameters:
  ///   - snapshot: The snapshot. It isn't saved if the log has one of the same position or a later one.
  ///   - log: The id of the log.
  /// - Throws: ``LogError/refused(_:)`` for a position after the log's end; and the errors of ``snapshot(in:)``.
  func save(_ snapshot: LogSnapshot, in log: UUID) async throws(LogError)

  /// Notes that a client is connected, and how far it has read.
  ///
  /// - Parameters:
  ///   - position: The position of the last action that the client has read; 0 if it has read none.
  ///   - client: The client.
  ///   - log: The id of the log.
  /// - Throws: The errors of ``snapshot(in:)``.
  func note(_ position: Int, readBy client: LogClient, in log: UUID) async throws(LogError)

  /// Removes the actions up to the newest snapshot, except for those that a connected client hasn't read.
  ///
  /// - A client is connected for ``LogDescription/lease`` after its last note.
  /// - Parameter log: The id of the log.
  /// - Throws: The errors of ``snapshot(in:)``.
  func compact(_ log: UUID) async throws(LogError)

  /// Returns a stream of the signals that the log sends from now on. Each signal is a hint that may be lost or arrive twice.
  func signals() -> AsyncStream<LogSignal>

  /// Sends a message to the signals of all clients, including this one. Messages are never stored, may be lost, and have no
  /// order.
  ///
  /// - Parameters:
  ///   - message: The bytes of the message.
  ///   - log: The id of the log.
  /// - Throws: ``LogError/messageTooLong(_:)`` for more than ``LogError/longestMessage`` bytes.
  func broadcast(_ message: Data, in log: UUID) async throws(LogError)
}

/// A hint that something has happened in a log.
public enum LogSignal: Hashable, Sendable {
  /// There may be actions to read.
  case appended

  /// A client has broadcast a message.
  case message(Data)
}

extension LogSignal {
  /// Makes the signal streams of a log. If a listener is slow, its oldest waiting signals are dropped, because hints may be
  /// lost.
  static func makeBroadcast() -> Broadcast<LogSignal> { Broadcast(keeping: 0, buffering: .bufferingNewest(256)) }
}
