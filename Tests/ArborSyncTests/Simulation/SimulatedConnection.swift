import ArborSync
import Foundation
import TestSupport

/// A connection between one life of a client and the log. Used on the thread that steps the executor.
final class SimulatedConnection: OrderedLog, @unchecked Sendable {
  /// A fault of one call.
  enum Fault: CaseIterable {
    case none, losesRequest, losesAnswer, doubles
  }

  private let log: MemoryLog
  private let world: SyncWorld

  /// `true` if no call reaches the log.
  var isCut = false

  /// `true` once the client has died. Calls in progress may still arrive, but no others.
  var isDead = false

  /// `true` if each message takes long.
  var isSlow = false

  init(to log: MemoryLog, in world: SyncWorld) {
    self.log = log
    self.world = world
  }

  private func call<Value: Sendable>(
    _ body: @escaping @Sendable (MemoryLog) async throws(LogError) -> Value
  ) async throws(LogError) -> Value {
    let lost = LogError.unreachable("lost")
    guard !isDead, !isCut else { throw lost }
    let fault = world.connectionFault()
    await world.delay(isSlow: isSlow)
    guard !isCut, fault != .losesRequest else { throw lost }
    if fault == .doubles {
      // The second call arrives at any later time.
      world.start { [log, world] in
        await world.delay(isSlow: true)
        _ = try? await body(log)
        await world.noteLog()
      }
    }
    let value: Result<Value, LogError>
    do throws(LogError) {
      value = .success(try await body(log))
    } catch {
      value = .failure(error)
    }
    await world.noteLog()
    await world.delay(isSlow: isSlow)
    guard !isDead, !isCut, fault != .losesAnswer else { throw lost }
    return try value.get()
  }

  func connect(_ client: LogClient, reducerVersion: Int) async throws(LogError) -> LogDescription {
    try await call { log async throws(LogError) in try await log.connect(client, reducerVersion: reducerVersion) }
  }

  func append(_ batch: ActionBatch, to id: UUID) async throws(LogError) {
    try await call { log async throws(LogError) in try await log.append(batch, to: id) }
  }

  func actions(behind position: Int, atMost count: Int, in id: UUID) async throws(LogError) -> [LoggedAction] {
    try await call { log async throws(LogError) in try await log.actions(behind: position, atMost: count, in: id) }
  }

  func snapshot(in id: UUID) async throws(LogError) -> LogSnapshot? {
    try await call { log async throws(LogError) in try await log.snapshot(in: id) }
  }

  func save(_ snapshot: LogSnapshot, in id: UUID) async throws(LogError) {
    try await call { log async throws(LogError) in try await log.save(snapshot, in: id) }
  }

  func note(_ position: Int, readBy client: LogClient, in id: UUID) async throws(LogError) {
    try await call { log async throws(LogError) in try await log.note(position, readBy: client, in: id) }
  }

  func compact(_ id: UUID) async throws(LogError) {
    try await call { log async throws(LogError) in try await log.compact(id) }
  }

  func signals() -> AsyncStream<LogSignal> { log.signals() }

  func broadcast(_ message: Data, in id: UUID) async throws(LogError) {
    try await call { log async throws(LogError) in try await log.broadcast(message, in: id) }
  }
}
