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
    Releases.note(expiredIn: self)
    // One entry is enough for all that have expired when its turn comes.
    if isFirst { afterAccepted { [self] in settleExpiredInside() } }
  }

  /// `true` until the values that have expired were brought up to date and told. From any thread.
  var hasExpired: Bool { hasExpiredValues.load(ordering: .acquiring) }

  /// Brings those values up to date that have expired, and tells those who observe them; or waits until that was done. In no
  /// tree's callback.
  func settleExpired() {
    inbox.withLock { inbox in inbox.attend() }
    attend(from: nil, for: "derived") { settleExpiredInside() }
  }

  private func settleExpiredInside() {
    let expired = expired.withLock { expired in
      defer { expired = [] }
      return expired
    }
    // They may be the last to hold values that nobody else holds any more.
    Mailbox.letGo(of: Batch(expired))
    for derivation in expired { derivations.add(derivation) }
    derivations.settle(in: self)
    // Not earlier: whoever asks meanwhile is to wait.
    self.expired.withLock { expired in hasExpiredValues.store(!expired.isEmpty, ordering: .releasing) }
  }
}
