import Arbor
import ArborSync
import Foundation
import TestSupport

/// A log that counts the actions read from it, and can change its answers.
final class CountingLog: OrderedLog {
  private let log: MemoryLog
  private let describe: @Sendable (LogDescription) -> LogDescription
  private let alter: @Sendable (LoggedAction) -> LoggedAction
  private let alterSnapshot: @Sendable (LogSnapshot) -> LogSnapshot
  private let refuse: @Sendable (ActionBatch) -> LogError?
  let read = RecordedValues<Int>()
  let connected = RecordedValues<LogClient>()

  /// `true` if the connection goes down after an append, before the answer.
  let isCutByAppending = Protected(false)

  init(
    _ log: MemoryLog,
    describe: @escaping @Sendable (LogDescription) -> LogDescription = { $0 },
    refuse: @escaping @Sendable (ActionBatch) -> LogError? = { _ in nil },
    alter: @escaping @Sendable (LoggedAction) -> LoggedAction = { $0 },
    alterSnapshot: @escaping @Sendable (LogSnapshot) -> LogSnapshot = { $0 }
  ) {
    self.log = log
    self.alter = alter
    self.alterSnapshot = alterSnapshot
    self.describe = describe
    self.refuse = refuse
  }

  func connect(_ client: LogClient, reducerVersion: Int) async throws(LogError) -> LogDescription {
    connected.append(client)
    return describe(try await log.connect(client, reducerVersion: reducerVersion))
  }

  func append(_ batch: ActionBatch, to id: UUID) async throws(LogError) {
    if let error = refuse(batch) { throw error }
    try await log.append(batch, to: id)
    guard isCutByAppending.withLockInAsync({ $0 }) else { return }
    log.faults = .isDown
    throw .unreachable("the connection is down")
  }

  func actions(behind position: Int, atMost count: Int, in id: UUID) async throws(LogError) -> [LoggedAction] {
    let actions = try await log.actions(behind: position, atMost: count, in: id).map(alter)
    read.append(actions.count)
    return actions
  }

  func snapshot(in id: UUID) async throws(LogError) -> LogSnapshot? {
    try await log.snapshot(in: id).map(alterSnapshot)
  }

  func save(_ snapshot: LogSnapshot, in id: UUID) async throws(LogError) { try await log.save(snapshot, in: id) }

  func note(_ position: Int, readBy client: LogClient, in id: UUID) async throws(LogError) {
    try await log.note(position, readBy: client, in: id)
  }

  func compact(_ id: UUID) async throws(LogError) { try await log.compact(id) }

  func signals() -> AsyncStream<LogSignal> { log.signals() }

  func broadcast(_ message: Data, in id: UUID) async throws(LogError) { try await log.broadcast(message, in: id) }
}
