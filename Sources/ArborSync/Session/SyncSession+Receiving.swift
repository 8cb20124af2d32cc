internal import Arbor
internal import ArborPersistence
internal import Foundation

extension SyncSession {
  /// Reads the actions after the confirmed state, and confirms them.
  ///
  /// - Returns: `true` if there were any.
  func receive() async throws(SyncFailure) -> Bool {
    let progress = progress
    guard let id = progress.log else { return false }
    let found: [LoggedAction]
    do throws(LogError) {
      found = try await log.actions(behind: progress.position, atMost: settings.batch, in: id)
    } catch .compacted(let end) {
      try await beginAtSnapshot(in: id, compactedEnd: max(end, progress.position + 1))
      guard self.progress.position > progress.position else {
        throw .stop(.refused("the actions after position \(progress.position) are gone, and there is no snapshot"))
      }
      return true
    } catch {
      throw SyncFailure(error)
    }
    guard let last = found.last else {
      let end = agreement.state.knownEnd
      guard progress.position >= end else {
        let reason = "it is missing, although the log had positions up to \(end)"
        throw .stop(.unreadable(position: progress.position + 1, reason: reason))
      }
      return false
    }
    let (count, failure) = exactCount(of: found, after: progress)
    agreement.dispatch(.knownEnd(max(last.position, agreement.state.knownEnd)))
    var rest = found.prefix(count)
    while let first = rest.first {
      // States are compared at these positions.
      let next = checksums.nextPosition(from: first.position)
      let part = rest.prefix { $0.position <= next }
      rest = rest.dropFirst(part.count)
      try await confirm(Array(part))
    }
    if let failure { throw .stop(failure) }
    return true
  }

  /// Confirms actions that follow the confirmed state.
  private func confirm(_ actions: [LoggedAction]) async throws(SyncFailure) {
    let progress = progress
    var entries: [SharedRoot<State, Action>.Entry] = []
    var confirmed: [LoggedAction] = []
    // The number of own actions that have ended their wait so far, confirmed or postponed.
    var ownCount = 0
    var hasOwn = false
    var failure: SyncFailure?
    do throws(SyncFailure) {
      for (action, meaning) in zip(actions, progress.meanings(of: actions)) {
        let sender = action.client.incarnation
        switch meaning {
        case .own:
          entries.append(.own(sender: sender))
          (ownCount, hasOwn) = (ownCount + 1, true)
        case .other: entries.append(.other(try read(action), sender: sender))
        case .takesNumber:
          entries += [.postponed, .other(try read(action), sender: sender)]
          ownCount += 1
        case .copied: throw .copied
        case .changed:
          // If this happens twice for the same action, it isn't a copy: no other process would change it under two
          // incarnations.
          let isFirst = changedActions.withLockInAsync { $0.insert(progress.waiting[ownCount].bytes).inserted }
          throw isFirst ? .copied : .stop(.altered(position: action.position))
        }
        confirmed.append(action)
      }
    } catch {
      failure = error
    }
    if !confirmed.isEmpty {
      try await confirm(from: nil, entries) { [confirmed] jobs in .confirmed(confirmed, jobs: jobs) }
      try await didConfirm(hasOwn: hasOwn)
    }
    if let failure { throw failure }
  }

  /// Returns the number of leading actions that can be reduced, and the reason why the next one can't.
  ///
  /// Positions, senders and numbers must be exact; the bytes aren't checked.
  private func exactCount(of found: [LoggedAction], after progress: OutboxProgress) -> (Int, SyncStop?) {
    var numbers = progress.numbers
    for (index, action) in found.enumerated() {
      let before = progress.position + index
      guard action.position == before + 1 else {
        return (index, .refused("position \(action.position) follows \(before)"))
      }
      let isOwn = action.client.incarnation == progress.client.incarnation
      guard !isOwn || action.client == progress.client, action.number == (numbers[action.client] ?? 0) + 1 else {
        return (index, .altered(position: action.position))
      }
      guard action.position != avoidedPosition else { return (index, .ended(position: action.position)) }
      numbers[action.client] = action.number
    }
    return (found.count, nil)
  }

  private func read(_ action: LoggedAction) throws(SyncFailure) -> Action {
    guard action.version <= form.actionVersion else {
      throw .stop(.unknownVersion(action.version, position: action.position))
    }
    do {
      return try form.action(action.bytes, version: action.version)
    } catch {
      throw .stop(.unreadable(position: action.position, reason: Confidentiality.description(of: error)))
    }
  }

  /// Confirms entries, and stores the result.
  ///
  /// - Parameters:
  ///   - snapshot: The confirmed state before the entries; nil for the current one.
  ///   - position: The position of the snapshot.
  ///   - entries: The entries.
  ///   - change: Makes the change to store, with the owners of the jobs that are in progress then.
  func confirm(
    from snapshot: SharedRoot<State, Action>.Snapshot?,
    at position: Int? = nil,
    _ entries: [SharedRoot<State, Action>.Entry],
    change: @escaping @Sendable (_ jobs: [String: UInt64]) -> OutboxChange
  ) async throws(SyncFailure) {
    let isThere = await withCheckedContinuation { continuation in
      let progress = progress
      let isAccepted = root.confirm(
        from: snapshot, entries, behind: position ?? progress.position, as: progress.incarnations
      ) { [root, agreement] rebase in
        agreement.dispatch(.kept(change(root.jobs), confirmed: root.confirmed))
        if let (before, after, moved) = rebase, moved > 0 {
          root.emit(Rebase(before: before, after: after, actions: moved))
        }
        continuation.resume(returning: true)
      }
      if !isAccepted { continuation.resume(returning: false) }
    }
    guard isThere else { throw .ended }
  }

  /// Compares the confirmed state with other clients', and writes a snapshot if one is due.
  private func didConfirm(hasOwn: Bool) async throws(SyncFailure) {
    let agreement = agreement.state
    let position = agreement.progress.position
    if checksums.isDue(at: position) {
      let checksum = StateChecksum.of(agreement.confirmed)
      // Sent before the comparison, so that both sides notice a difference.
      await tellOthers(checksum, at: position)
      guard checksums.note(checksum, at: position) else {
        keep(.diverged)
        throw .stop(.diverged(position: position))
      }
    }
    if hasOwn, position - knownSnapshot.withLockInAsync({ $0 }) >= settings.snapshotInterval {
      try await saveSnapshot(of: agreement)
    }
  }

  private func saveSnapshot(of agreement: Agreement<State>) async throws(SyncFailure) {
    guard let id = agreement.progress.log else { return }
    let snapshot: LogSnapshot
    do {
      let state = try form.coding.encode(agreement.confirmed)
      snapshot = try SnapshotContent.snapshot(of: state, version: form.stateVersion, agreement.progress)
    } catch {
      throw .stop(.cannotEncode(Confidentiality.description(of: error)))
    }
    try await SyncFailure.ofLog { () async throws(LogError) in
      try await log.save(snapshot, in: id)
      try await log.compact(id)
    }
    knownSnapshot.withLockInAsync { $0 = max($0, snapshot.position) }
    try? await broadcast { log in .snapshot(position: snapshot.position, log: log) }
  }
}
