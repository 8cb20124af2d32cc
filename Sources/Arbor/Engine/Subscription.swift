internal import Synchronization

/// An observer's place in a node's list: whether it still listens, and who comes next.
@usableFromInline
class Subscription: @unchecked Sendable {  // Links change on the tree's queue only, or under its lock while it is idle.
  /// What makes two subscriptions the same: one observer on one scope.
  @usableFromInline
  struct Key: Hashable, Sendable {
    let observer: Identity
    let scope: Identity

    @usableFromInline
    init(observer: Identity, scope: Identity) {
      self.observer = observer
      self.scope = scope
    }
  }

  /// Nil for a child among its parent's subscriptions.
  let key: Key?

  @usableFromInline
  @exclusivity(unchecked)
  final var next: Unmanaged<Subscription>?

  @exclusivity(unchecked)
  final var previous: Unmanaged<Subscription>?

  private let port: Port
  private let ended = Atomic(false)

  /// Whether the observer is being called at this moment. Looked at on the queue only.
  @usableFromInline
  @exclusivity(unchecked)
  final var isBeingCalled = false

  @usableFromInline
  init(key: Key?, port: Port) {
    self.key = key
    self.port = port
  }

  /// Whether the observer has said that it is dead.
  @usableFromInline
  final var isEnded: Bool { ended.load(ordering: .acquiring) }

  /// Ends the subscription, on the queue, where whoever called the observer takes it out of the list.
  @usableFromInline
  final func end() {
    ended.store(true, ordering: .releasing)
  }

  /// What an observer's `complete` does: from any thread, any number of times, at any time.
  @usableFromInline
  final func report(_ status: ObserverStatus) {
    guard status == .dead, !ended.exchange(true, ordering: .acquiringAndReleasing) else { return }
    // In its own call: whoever made the call takes it out once the observer has returned.
    guard !(port.mailbox.isInside && isBeingCalled) else { return }
    port.mailbox.rearrange(at: port.door) { node in
      unsafeDowncast(node, to: Node.self).unlink(self)
    } afterwards: {
      self.releaseClosure()
    }
  }

  /// Lets go of the observer's closure, which may hold this very subscription.
  @usableFromInline
  func releaseClosure() {}
}
