internal import Synchronization

/// Combined values of which an input in another tree has changed.
extension Mailbox {
  /// Brings a combined value up to date of which an input in another tree has changed: behind all that is accepted, or earlier
  /// if a waiting call has released what changed the input. From any thread that is not inside.
  func expire(_ derivation: Derivation) {
    let isFirst = expired.withLock { expired in
      expired.append(derivation)
      hasExpiredValues.store(true, ordering: .releasing)
      return expired.count == 1
    }
    // One entry is enough for all that have expired when its turn comes.
    if isFirst { afterAccepted { [self] in addExpired() } }
  }

  /// `true` if values have expired that were not brought up to date. From any thread.
  var hasExpired: Bool { hasExpiredValues.load(ordering: .acquiring) }

  /// Brings those values up to date that have expired, and tells those who observe them. In no tree's callback.
  func settleExpired() {
    inbox.withLock { inbox in inbox.attend() }
    attend(from: nil, for: "derived") { addExpired() }
  }

  private func addExpired() {
    let expired = expired.withLock { expired in
      hasExpiredValues.store(false, ordering: .relaxed)
      defer { expired = [] }
      return expired
    }
    for derivation in expired { derivations.add(derivation) }
  }
}
