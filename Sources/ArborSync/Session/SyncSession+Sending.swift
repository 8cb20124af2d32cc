internal import Arbor
internal import Foundation

extension SyncSession {
  /// Sends the actions that wait longest, once the outbox has them.
  ///
  /// - Returns: `true` if anything was sent.
  func send() async throws(SyncFailure) -> Bool {
    try requireGoingOn()
    let progress = progress
    let sent = connection.withLock { $0.sent }
    guard let id = progress.log, let batch = progress.nextBatch(behind: sent, atMost: settings.batch) else {
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
      throw SyncFailure(error)
    }
    connection.withLock { $0.sent[batch.client] = last }
    return true
  }
}

extension OutboxProgress {
  /// The first of the actions that wait and were not sent, as far as they are of one client and of one version.
  fileprivate func nextBatch(behind sent: [LogClient: Int], atMost count: Int) -> ActionBatch? {
    let unsent = waiting.drop { $0.number <= sent[$0.client] ?? 0 }
    // Actions of an earlier incarnation get other numbers if they turn out to be none of those that the log has.
    if let first = waiting.first, first.client != client, first.number <= sent[first.client] ?? 0 { return nil }
    guard let first = unsent.first else { return nil }
    let actions = unsent.prefix(count).prefix { $0.client == first.client && $0.version == first.version }
    return ActionBatch(of: first.client, first: first.number, version: first.version, actions.map(\.bytes))
  }
}
