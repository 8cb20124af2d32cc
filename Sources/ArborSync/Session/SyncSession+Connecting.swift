internal import Arbor
internal import Foundation

extension SyncSession {
  /// Finds the log, and finds out whether it is the one that is known.
  func connect() async throws(SyncFailure) {
    // The last numbers of incarnations that are given up here.
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
      // A number that this outbox has never sent was sent by one of which it is a copy, or that is a copy of it.
      let isCopied = connection.withLockInAsync { $0.isCopied } || found.lastNumber > progress.attempted
      guard !isCopied, progress.client.name == name else {
        guard earlier.isEmpty else {
          throw .stop(.refused("it has actions of a client that was made now, and has sent nothing"))
        }
        connection.withLockInAsync { $0.isCopied = false }
        earlier[progress.client] = found.lastNumber
        keep(.wentOn(as: LogClient(name), behind: found.lastNumber, isCopied: isCopied))
        continue
      }
      // There is a snapshot up to there at least.
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

  /// Goes on from the newest snapshot, if that is not behind what was read.
  ///
  /// - Parameter compactedEnd: The position up to which there are no actions to be read instead.
  func beginAtSnapshot(in log: UUID, compactedEnd: Int) async throws(SyncFailure) {
    let found = try await SyncFailure.ofLog { () async throws(LogError) in try await self.log.snapshot(in: log) }
    guard let found, found.position > progress.position else { return }
    // No log has had so many actions, and positions behind it could not be counted.
    guard found.position < 1 << 60 else { throw .stop(.refused("a snapshot of position \(found.position)")) }
    guard found.version <= form.stateVersion else {
      throw .stop(.unknownVersion(found.version, position: found.position))
    }
    let progress = progress
    guard found.numbers[progress.client] ?? 0 <= progress.attempted else { throw .copied }
    let own = progress.waitingCount(in: found)
    // By their numbers they are in it. But somebody else may have sent others in their place, which cannot be read.
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

  /// Tells the log now and then how far it was read, as far as the outbox has it: what is before may be removed from it.
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

/// The state of the connection to a log since that was found last.
struct LogConnection: Sendable {
  /// The time for which a client counts as connected after it was heard of last.
  var lease = Duration.zero

  /// The time at which the log was told last how far it was read, and that position; nil if it was not told.
  var note: (time: Duration, position: Int)?

  /// `true` if somebody has sent actions with the numbers of this client.
  var isCopied = false

  /// The last number of each client that the log has: these actions are not sent again.
  var sent: [LogClient: Int] = [:]
}
