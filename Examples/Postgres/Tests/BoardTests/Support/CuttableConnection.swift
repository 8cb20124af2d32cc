import ArborSync
import Foundation
import Synchronization

/// The connection of one client to a log, which can be cut independently of others.
final class CuttableConnection: OrderedLog {
  private let log: any OrderedLog
  private let isCut = Atomic(false)

  init(to log: any OrderedLog) {
    self.log = log
  }

  func cut() {
    isCut.store(true, ordering: .sequentiallyConsistent)
  }

  func mend() {
    isCut.store(false, ordering: .sequentiallyConsistent)
  }

  private func requireConnection() throws(LogError) {
    if isCut.load(ordering: .sequentiallyConsistent) { throw .unreachable("the connection is cut") }
  }

  func connect(_ client: LogClient, reducerVersion: Int) async throws(LogError) -> LogDescription {
    try requireConnection()
    return try await log.connect(client, reducerVersion: reducerVersion)
  }

  func append(_ batch: ActionBatch, to id: UUID) async throws(LogError) {
    try requireConnection()
    try await log.append(batch, to: id)
  }

  func actions(behind position: Int, atMost count: Int, in id: UUID) async throws(LogError) -> [LoggedAction] {
    try requireConnection()
    return try await log.actions(behind: position, atMost: count, in: id)
  }

  func snapshot(in id: UUID) async throws(LogError) -> LogSnapshot? {
    try requireConnection()
    return try await log.snapshot(in: id)
  }

  func save(_ snapshot: LogSnapshot, in id: UUID) async throws(LogError) {
    try requireConnection()
    try await log.save(snapshot, in: id)
  }

  func note(_ position: Int, readBy client: LogClient, in id: UUID) async throws(LogError) {
    try requireConnection()
    try await log.note(position, readBy: client, in: id)
  }

  func compact(_ id: UUID) async throws(LogError) {
    try requireConnection()
    try await log.compact(id)
  }

  func signals() -> AsyncStream<LogSignal> { log.signals() }

  func broadcast(_ message: Data, in id: UUID) async throws(LogError) {
    try requireConnection()
    try await log.broadcast(message, in: id)
  }
}
