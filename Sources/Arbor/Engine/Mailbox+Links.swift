internal import Synchronization

/// Changes of the observers and nodes that are called: subscriptions and their ends, new children, releases.
extension Mailbox {
  /// Enters a subscription whose turn has come, unless it has ended or its observer is subscribed already.
  ///
  /// - Returns: The subscription that is entered for the observer: this one, or the one that was there. Nil if this one has
  ///   ended.
  @usableFromInline
  func enter(_ subscription: Subscription, at address: Address) -> Subscription? {
    inbox.withLock { _ in
      subscription.isEnded ? nil : address.enter(subscription)
    }
  }

  /// Ends a subscription, which is to be unlinked then: its observer may be subscribed anew.
  ///
  /// - Returns: Whether it had not ended before.
  @usableFromInline
  func end(_ subscription: Subscription, at address: Address) -> Bool {
    inbox.withLock { _ in
      guard !subscription.isEnded else { return false }
      subscription.end()
      address.leave(subscription)
      return true
    }
  }

  /// Ends a subscription, and takes it out of its audience, unless that is gone: now if the mailbox is idle, else before the next
  /// round of notification.
  ///
  /// - Returns: Whether that is done, so that the subscription is to be let go of. If it is not, that is done with it.
  func takeOut(_ subscription: Subscription, at address: Address) -> Bool {
    let isInside = isInside
    return inbox.withLock { inbox in
      guard !subscription.isEnded else { return false }
      subscription.end()
      address.leave(subscription)
      guard let resident = address.resident else { return false }
      let audience = unsafeDowncast(resident, to: Audience.self)
      guard !inbox.isIdle else {
        // It is not freed here: whoever ends it has it.
        audience.unlink(subscription)
        return true
      }
      if isInside { audience.discount(subscription) }
      let departure = Errand(node: audience) { audience in
        unsafeDowncast(audience, to: Audience.self).unlink(subscription)
        address.forget(subscription)
      }
      postpone(departure, in: &inbox)
      return false
    }
  }

  /// Changes the links between nodes and observers, unless the address is closed: now if the mailbox is idle, else before
  /// the next round of notification, and ahead of what waits.
  ///
  /// - Parameters:
  ///   - change: Called under the lock or on the queue: it must neither call user code nor release anything of a user.
  ///   - afterwards: Called once the change was made and the lock is free.
  @usableFromInline
  func rearrange(
    at address: Address,
    _ change: @escaping @Sendable (AnyObject) -> Void,
    afterwards: @escaping @Sendable () -> Void = {}
  ) {
    var isDone = false
    inbox.withLock { inbox in
      guard let resident = address.resident else { return }
      if inbox.isIdle {
        change(resident)
        isDone = true
      } else {
        let errand = Errand(node: resident) { resident in
          change(resident)
          afterwards()
        }
        postpone(errand, in: &inbox)
      }
    }
    if isDone { afterwards() }
  }

  /// Makes a node the last child of its parent, unless the address of that is closed: now if the mailbox is idle, else before the next
  /// round of notification, and no later than a derived value follows it.
  @usableFromInline
  func join(_ child: Node, by membership: Subscription, at address: Address) {
    inbox.withLock { inbox in
      guard address.resident != nil else { return }
      guard !inbox.isIdle else { return child.join(membership) }
      inbox.joins.append(Errand(node: child) { _ in child.join(membership) })
      hasChanges.store(true, ordering: .releasing)
    }
  }

  func postpone(_ change: Errand, in inbox: inout Inbox) {
    inbox.changes.append(change)
    hasChanges.store(true, ordering: .releasing)
  }

  /// Closes an address for good and lets its audience go: now if the mailbox is idle, else behind what waits.
  ///
  /// - The audience's links to others are cut, as a change in ``rearrange(at:_:afterwards:)``.
  func close(_ address: Address) {
    var leaving: Audience?
    var isIdle = false
    let acceptance = inbox.withLock { inbox in
      guard let resident = address.resident else { return Inbox.Acceptance.refused }
      let audience = unsafeDowncast(resident, to: Audience.self)
      leaving = audience
      address.close()
      isIdle = inbox.isIdle
      guard !isIdle else {
        audience.detach()
        return .accepted
      }
      postpone(Errand(node: audience) { unsafeDowncast($0, to: Audience.self).detach() }, in: &inbox)
      // What was accepted for the audience needs it.
      let release = Errand(node: audience, .release) { audience in
        Mailbox.letGo(of: audience)
        unsafeDowncast(audience, to: Audience.self).dissolve()
      }
      return inbox.accept(release, quality: address.quality)
    }
    _ = settle(acceptance)
    if isIdle { leaving?.dissolve() }
    // Freed here, outside the lock, if nothing else holds it.
    leaving = nil
  }

  /// Keeps an object that is let go of outside until no step runs that may use it.
  func retire(_ object: AnyObject) {
    inbox.withLock { inbox in
      if !inbox.isIdle { postpone(Errand(node: object) { Mailbox.letGo(of: $0) }, in: &inbox) }
    }
  }

  /// Makes the changes of links that wait. On the queue, between two entries.
  func makeChanges() {
    // What a change releases may ask for more.
    while hasChanges.load(ordering: .acquiring) { makeWaitingChanges() }
  }

  /// Lets those children join their parents that wait to. On the queue, also in a callback: nobody listens at them yet who could be
  /// called in the running round.
  @usableFromInline
  func makeJoins() {
    guard hasChanges.load(ordering: .acquiring) else { return }
    let joins = inbox.withLock { inbox in
      let joins = inbox.joins
      inbox.joins = []
      return joins
    }
    if !joins.isEmpty { make(joins) }
  }

  @inline(never)
  private func makeWaitingChanges() {
    let changes = inbox.withLock { inbox in
      hasChanges.store(false, ordering: .relaxed)
      let changes = inbox.joins.isEmpty ? inbox.changes : inbox.joins + inbox.changes
      inbox.joins = []
      inbox.changes = []
      return changes
    }
    make(changes)
  }

  private func make(_ changes: [Errand]) {
    // They may be the last to hold what they deal with. First, so that all goes in the order in which it is let go of.
    Mailbox.letGo(of: Batch(changes))
    for change in changes { change.work(change.node) }
  }
}
