internal import Arbor
internal import ArborPersistence
internal import Foundation

extension SyncSession {
  /// Reads what stands behind the confirmed state, and confirms it.
  ///
  /// - Returns: `true` if there was anything.
  func receive() async throws(SyncFailure) -> Bool {
    let progress = progress
    guard let id = progress.log else { return false }
    let found: [LoggedAction]
    do throws(LogError) {
      found = try await log.actions(behind: progress.position, atMost: settings.batch, in: id)
    } catch .compacted {
      try await beginAtSnapshot(in: id)
      guard self.progress.position > progress.position else {
        throw .stop(.refused("the actions behind position \(progress.position) are gone, and there is no snapshot"))
      }
      return true
    } catch {
      throw SyncFailure(error)
    }
    guard let last = found.last else { return false }
    agreement.dispatch(.knownEnd(last.position))
    var rest = found[...]
    while let first = rest.first {
      // The states are compared at these positions.
      let next = checksums.nextPosition(from: first.position)
      let part = rest.prefix { $0.position <= next }
      rest = rest.dropFirst(part.count)
      try await confirm(Array(part))
    }
    return true
  }

  /// Confirms actions that follow the confirmed state.
  private func confirm(_ actions: [LoggedAction]) async throws(SyncFailure) {
    let progress = progress
    var entries: [SharedRoot<State, Action>.Entry] = []
    var own = 0
    var failure: SyncStop?
    for (offset, action) in actions.enumerated() {
      guard action.position == progress.position + offset + 1 else {
        throw .stop(.refused("position \(action.position) follows \(progress.position + offset)"))
      }
      if own < progress.waiting.count, progress.waiting[own].has(numberOf: action) {
        // Another process has sent an action with this number, by a copy of the outbox: the own one gets another.
        guard progress.waiting[own].bytes == action.bytes else {
          if !entries.isEmpty { break }
          keep(.renumbered(from: own, as: LogClient(name)))
          return
        }
        entries.append(.own(sender: action.client.incarnation))
        own += 1
        continue
      }
      do throws(SyncStop) {
        entries.append(.other(try read(action), sender: action.client.incarnation))
      } catch {
        failure = error
        break
      }
    }
    let confirmed = Array(actions.prefix(entries.count))
    if !confirmed.isEmpty {
      try await confirm(from: nil, entries) { jobs in .confirmed(confirmed, jobs: jobs) }
      try await didConfirm(confirmed, own: own > 0)
    }
    if let failure { throw .stop(failure) }
  }

  private func read(_ action: LoggedAction) throws(SyncStop) -> Action {
    guard action.version <= form.actionVersion else {
      throw .unknownVersion(action.version, position: action.position)
    }
    do {
      return try form.action(action.bytes, version: action.version)
    } catch {
      throw .unreadable(position: action.position, reason: "\(error)")
    }
  }

  /// Confirms entries, and keeps what has come of it.
  ///
  /// - Parameter change: Makes the change that is kept, with the owners of the jobs that are in progress then.
  func confirm(
    from snapshot: SharedRoot<State, Action>.Snapshot?,
    _ entries: [SharedRoot<State, Action>.Entry],
    change: @escaping @Sendable (_ jobs: [String: UInt64]) -> OutboxChange
  ) async throws(SyncFailure) {
    let isThere = await withCheckedContinuation { continuation in
      let isAccepted = root.confirm(from: snapshot, entries, as: progress.incarnations) { [root, agreement] rebase in
        agreement.dispatch(.kept(change(root.jobs), confirmed: root.confirmed))
        if let rebase, rebase.moved > 0 { root.emit(Rebase(rebase)) }
        continuation.resume(returning: true)
      }
      if !isAccepted { continuation.resume(returning: false) }
    }
    guard isThere else { throw .ended }
  }

  /// Compares the confirmed state with that of others, and writes a snapshot where one is due.
  private func didConfirm(_ actions: [LoggedAction], own: Bool) async throws(SyncFailure) {
    let agreement = agreement.state
    let position = agreement.progress.position
    if checksums.isDue(at: position) {
      let checksum = StateChecksum.of(agreement.confirmed)
      guard checksums.note(checksum, at: position) else { throw .stop(.diverged(position: position)) }
      // A hint that may be lost: there are others.
      try? await broadcast(.checksum(checksum, position: position))
    }
    if own, position - knownSnapshot.withLock({ $0 }) >= settings.snapshotInterval {
      try await saveSnapshot(of: agreement)
    }
  }

  private func saveSnapshot(of agreement: Agreement<State>) async throws(SyncFailure) {
    guard let id = agreement.progress.log else { return }
    let bytes: Data
    do {
      bytes = try SnapshotContent(form.coding.encode(agreement.confirmed), jobs: agreement.progress.jobs).bytes
    } catch {
      throw .stop(.cannotEncode("\(error)"))
    }
    let snapshot = LogSnapshot(
      position: agreement.progress.position,
      numbers: agreement.progress.numbers,
      version: form.stateVersion,
      bytes: bytes
    )
    try await SyncFailure.ofLog { () async throws(LogError) in
      try await log.save(snapshot, in: id)
      try await log.compact(id)
    }
    knownSnapshot.withLock { $0 = max($0, snapshot.position) }
    try? await broadcast(.snapshot(position: snapshot.position))
  }
}

extension OutboxProgress.WaitingAction {
  /// Returns `true` if an action of the log is of the same client, and has the same number.
  fileprivate func has(numberOf action: LoggedAction) -> Bool {
    client == action.client && number == action.number
  }
}
