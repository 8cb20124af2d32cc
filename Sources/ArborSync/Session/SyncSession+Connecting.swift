internal import Arbor
internal import Foundation

extension SyncSession {
  /// Finds the log, and checks that it is the known one.
  func connect() async throws(SyncFailure) {
    // The last numbers of the incarnations that end here.
    var earlier: [LogClient: Int] = [:]
    while true {
      let progress = progress
      let found = try await SyncFailure.ofLog { () async throws(LogError) in
        try await log.connect(progress.client, reducerVersion: form.reducerVersion)
      }
      guard progress.log == nil || progress.log == found.id else { throw .stop(.anotherLog) }
      guard found.reducerVersion == form.reducerVersion else {
        throw .stop(.otherReducer(log: found.reducerVersion, own: form.reducerVersion))
      }
      guard found.end >= progress.position else {
        throw .stop(.olderLog(end: found.end, read: progress.position))
      }
      // A number that this outbox has never sent comes from another copy of it, or from the original.
      let isCopied = connection.withLockInAsync { $0.isCopied } || found.lastNumber > progress.attempted
      guard !isCopied, progress.client.name == name else {
        guard earlier.isEmpty else {
          throw .stop(.refused("it has actions of a client that was just made and has sent nothing"))
        }
        connection.withLockInAsync { $0.isCopied = false }
        earlier[progress.client] = found.lastNumber
        keep(.wentOn(as: LogClient(name), behind: found.lastNumber, isCopied: isCopied))
        continue
      }
      // A log is only compacted up to a snapshot.
      knownSnapshot.withLockInAsync { $0 = max($0, found.compactedEnd) }
      if progress.log == nil { keep(.joined(found.id)) }
      agreement.dispatch(.knownEnd(found.end))
      connection.withLockInAsync { connection in
        connection = LogConnection(lease: found.lease)
        connection.sent[progress.client] = found.lastNumber
        for (client, last) in earlier { connection.sent[client] = last }
      }
      if progress.position == 0 || progress.position < found.compactedEnd {
        try await beginAtSnapshot(in: found.id, compactedEnd: found.compactedEnd)
      }
      tell(.connected)
      return
    }
  }

  /// Continues from the newest snapshot, if that is after the confirmed state.
  ///
  /// - Parameter compactedEnd: The position up to which the actions were removed, so that only a snapshot has them.
  func beginAtSnapshot(in log: UUID, compactedEnd: Int) async throws(SyncFailure) {
    let found = try await SyncFailure.ofLog { () async throws(LogError) in try await self.log.snapshot(in: log) }
    guard let found, found.position > progress.position else { return }
    // No real log has so many actions, and the positions after it would overflow.
    guard found.position < 1 << 60 else { throw .stop(.refused("a snapshot of position \(found.position)")) }
    guard found.version <= form.stateVersion else {
      throw .stop(.unknownVersion(found.version, position: found.position))
    }
    let progress = progress
    guard found.numbers[progress.client] ?? 0 <= progress.attempted else { throw .copied }
    let own = progress.waitingCount(in: found)
    // Their numbers are in the snapshot. But another process may have sent other actions with these numbers, which cannot be
    // read any more.
    let uncertain = progress.waiting.prefix(own).count { !$0.isAttempted }
    guard uncertain == 0 else {
      if progress.position >= compactedEnd { return }
      throw .stop(.copiedOutbox(actions: uncertain))
    }
    let snapshot: SharedRoot<State, Action>.Snapshot
    do {
      let content = try SnapshotContent(found)
      let state = try content.state(form, version: found.version)
      snapshot = SharedRoot.Snapshot(state, own: own, jobs: content.jobs)
    } catch is SnapshotContent.Changed {
      throw .stop(.altered(position: found.position))
    } catch {
      throw .stop(.unreadable(position: found.position, reason: Confidentiality.description(of: error)))
    }
    knownSnapshot.withLockInAsync { $0 = max($0, found.position) }
    try await confirm(from: snapshot, at: found.position, []) { jobs in .began(found, jobs: jobs) }
  }

  /// Notes in the log, from time to time, how far the outbox has read. The log may remove the actions before that position.
  func noteWhatIsRead() async throws(SyncFailure) {
    let progress = progress
    guard let id = progress.log else { return }
    let isDue = connection.withLockInAsync { connection in
      guard let note = connection.note else { return true }
      return now - note.time >= connection.lease / 4 || progress.position - note.position >= settings.snapshotInterval
    }
    guard isDue else { return }
    try await flush()
    try await SyncFailure.ofLog { () async throws(LogError) in
      try await log.note(progress.position, readBy: progress.client, in: id)
    }
    connection.withLockInAsync { $0.note = (now, progress.position) }
  }
}

/// The state of the connection to a log, since the log was last found.
struct LogConnection: Sendable {
  /// The time for which a client counts as connected after its last note.
  var lease = Duration.zero

  /// The time of the last note in the log, and its position; nil if there is none.
  var note: (time: Duration, position: Int)?

  /// `true` if another process has sent actions with this client's numbers.
  var isCopied = false

  /// The last number of each client in the log. Actions up to it aren't sent again.
  var sent: [LogClient: Int] = [:]
}
