internal import Arbor
internal import Foundation

extension SyncSession {
  /// Sends the actions that have waited longest, once the outbox has stored them.
  ///
  /// - Returns: `true` if the session should continue without a rest, because it has sent actions or should send fewer at once.
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
      // Numbers that the log once had are missing.
      throw .stop(.olderLog(end: agreement.state.knownEnd, read: progress.position))
    } catch {
      // The batch may be too large for the log, or take too much time.
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
  /// The number of bytes at which no further action is added to a batch.
  private static var longestBatch: Int { 4 << 20 }

  /// Returns the first waiting actions that weren't sent, as far as they have the same client and version.
  fileprivate func nextBatch(behind sent: [LogClient: Int], atMost count: Int) -> ActionBatch? {
    let unsent = waiting.drop { $0.number <= sent[$0.client] ?? 0 }
    // Actions of an earlier incarnation get new numbers if they turn out not to be in the log.
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
