internal import ArborPersistence
public import Foundation

/// A log that brings the actions of many clients into one order: a database, a file, a service of your own.
///
/// - **Positions** count from 1 on, without gaps, in the order in which actions became readable: who has read all up to
///   one position, and reads behind it, misses nothing.
/// - **Numbers.** A client numbers its actions from 1 on. What has a number that the log has already is ignored: to send a
///   batch once more, after an answer that was lost, is safe.
/// - **Exactness.** A log gives back what it was given, byte for byte, with the same sender, number and version; names that
///   are equal as texts may differ in their bytes. A client whose own action comes back otherwise goes on once as another
///   incarnation, since a copy of its outbox may have sent that; the second time, it stops for
///   ``SyncStop/altered(position:)``. The numbers of each client follow each other without gaps.
/// - **Identity.** A log has an id. Each call names it, and fails for ``LogError/anotherLog(_:)`` where another log is in
///   its place, so that nothing of one is ever taken for something of the other.
/// - From any thread, also several calls at once.
public protocol OrderedLog: Sendable {
  /// Finds the log, or makes it.
  ///
  /// - Parameters:
  ///   - client: The one that asks. It counts as connected from now on, with what it has noted before, or with nothing read.
  ///   - reducerVersion: The version of the reducer that a new log is to name.
  /// - Throws: ``LogError/unreachable(_:)`` if the log cannot be reached; ``LogError/refused(_:)`` if it is damaged.
  func connect(_ client: LogClient, reducerVersion: Int) async throws(LogError) -> LogDescription

  /// Appends actions, all or none. When this returns they are as durable as the log keeps anything.
  ///
  /// - Parameters:
  ///   - batch: The actions. What has a number that the log has already is left out.
  ///   - log: The id of the log.
  /// - Throws: ``LogError/missingActions(after:)`` if numbers before those of the batch are not in the log.
  func append(_ batch: ActionBatch, to log: UUID) async throws(LogError)

  /// The actions behind a position, in order; none if there are none yet. There may be more although fewer come than asked for.
  ///
  /// - Parameters:
  ///   - position: The position of the last one that is not wanted; 0 for all.
  ///   - count: The greatest number that is wanted, at least 1.
  ///   - log: The id of the log.
  /// - Throws: ``LogError/compacted(through:)`` if some of them are there no more.
  func actions(behind position: Int, atMost count: Int, in log: UUID) async throws(LogError) -> [LoggedAction]

  /// The newest snapshot; nil if there is none.
  ///
  /// - Parameter log: The id of the log.
  /// - Throws: ``LogError/anotherLog(_:)`` if another log is in its place; ``LogError/unreachable(_:)`` if none can be
  ///   reached.
  func snapshot(in log: UUID) async throws(LogError) -> LogSnapshot?

  /// Saves a snapshot.
  ///
  /// - Parameters:
  ///   - snapshot: The snapshot. It is not saved if the log has one of the same position, or of a later one.
  ///   - log: The id of the log.
  /// - Throws: ``LogError/refused(_:)`` for a position behind the end; otherwise as ``snapshot(in:)``.
  func save(_ snapshot: LogSnapshot, in log: UUID) async throws(LogError)

  /// Notes that a client is connected, and has read all up to a position.
  ///
  /// - Parameters:
  ///   - position: The position of the last action that the client has read; 0 if it has read none.
  ///   - client: The client.
  ///   - log: The id of the log.
  /// - Throws: As ``snapshot(in:)``.
  func note(_ position: Int, readBy client: LogClient, in log: UUID) async throws(LogError)

  /// Removes the actions up to the newest snapshot, but for those that a connected client has not read.
  ///
  /// - A client is connected for ``LogDescription/lease`` after its last note.
  /// - Parameter log: The id of the log.
  /// - Throws: As ``snapshot(in:)``.
  func compact(_ log: UUID) async throws(LogError)

  /// The stream of what happens in the log from now on. Each signal is a hint, which may be lost or come twice.
  func signals() -> AsyncStream<LogSignal>

  /// Sends a message to the signals of all clients, this one included: best effort, in no order, and never stored.
  ///
  /// - Parameters:
  ///   - message: The bytes of the message.
  ///   - log: The id of the log.
  /// - Throws: ``LogError/messageTooLong(_:)`` for more than ``LogError/longestMessage`` bytes.
  func broadcast(_ message: Data, in log: UUID) async throws(LogError)
}

/// A hint of something that has happened in a log.
public enum LogSignal: Hashable, Sendable {
  /// There may be actions to read.
  case appended

  /// A client has broadcast a message.
  case message(Data)
}

extension LogSignal {
  /// Makes the signals of those who listen to a log. Of those that wait for a slower listener the oldest are dropped, as
  /// hints may be.
  static func makeBroadcast() -> Broadcast<LogSignal> { Broadcast(keeping: 0, buffering: .bufferingNewest(256)) }
}
