internal import Arbor
internal import Foundation

extension SyncSession {
  /// Sends the actions that wait longest, once the outbox has them.
  ///
  /// - Returns: `true` if anything was sent.
  func send() async throws(SyncFailure) -> Bool {
    try requireGoingOn()
    let progress = progress
    let sent = connection.withLockInAsync { $0.sent }
    guard let id = progress.log, let batch = progress.nextBatch(behind: sent, atMost: batchLimit.withLockInAsync { $0 })
    else {
      return false
    }
    let last = batch.first + batch.actions.count - 1
    if batch.client == progress.client { keep(.attempted(last)) }
    try await flush()
    do throws(LogError) {
      try await log.append(batch, to: id)
    } catch .missingActions {
      // Numbers that the log has had are not there any more.
      throw .stop(.olderLog(end: agreement.state.knownEnd, read: progress.position))
    } catch {
      // It may be too much for the log, or for the time that it has.
      if batch.actions.count > 1 { batchLimit.withLockInAsync { $0 = max(min($0, batch.actions.count) / 2, 1) } }
      if case .refused = error, batch.actions.count > 1 { return true }
      throw SyncFailure(error)
    }
    batchLimit.withLockInAsync { [limit = settings.batch] in $0 = min($0 + max($0 / 8, 1), limit) }
    connection.withLockInAsync { $0.sent[batch.client] = last }
    return true
  }
}

extension OutboxProgress {
  /// The number of bytes of a batch beyond which no action is added to it.
  private static var longestBatch: Int { 4 << 20 }

  /// The first of the actions that wait and were not sent, as far as they are of one client and of one version.
  fileprivate func nextBatch(behind sent: [LogClient: Int], atMost count: Int) -> ActionBatch? {
    let unsent = waiting.drop { $0.number <= sent[$0.client] ?? 0 }
    // Actions of an earlier incarnation get other numbers if they turn out to be none of those that the log has.
    if let first = waiting.first, first.client != client, first.number <= sent[first.client] ?? 0 { return nil }
    guard let first = unsent.first else { return nil }
    var length = 0
    let actions = unsent.prefix(count).prefix { action in
      let isFirst = length == 0
      length += action.bytes.count + 1
      return action.client == first.client && action.version == first.version
        && (isFirst || length <= Self.longestBatch)
    }
    return ActionBatch(of: first.client, first: first.number, version: first.version, actions.map(\.bytes))
  }
}
