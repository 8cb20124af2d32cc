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

  private let ended = Atomic(false)

  @usableFromInline
  init(key: Key?) {
    self.key = key
  }

  /// Whether the observer has said that it is dead, or its node is gone.
  @usableFromInline
  final var isEnded: Bool { ended.load(ordering: .acquiring) }

  /// Ends the subscription, from any thread. The observer may still be called once, if that call was already chosen.
  ///
  /// - Returns: Whether it had not ended before.
  @usableFromInline
  @discardableResult
  final func end() -> Bool {
    !ended.exchange(true, ordering: .acquiringAndReleasing)
  }

  /// Lets go of the observer's closure. The list, and nobody else, calls it, once the subscription is out of it.
  @usableFromInline
  func releaseClosure() {}
}
