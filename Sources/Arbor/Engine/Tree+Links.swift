internal import Synchronization

/// Changes of the observers and nodes that are called: subscriptions and their ends, new children, releases.
extension Tree {
  /// Enters a subscription whose turn has come, unless it has ended or its observer is subscribed already.
  ///
  /// - Returns: The subscription that is entered for the observer: this one, or the one that was there. Nil if this one has
  ///   ended.
  @usableFromInline
  func register(_ subscription: Subscription, at address: Address) -> Subscription? {
    mailbox.withLock { _ in
      subscription.isEnded ? nil : address.register(subscription)
    }
  }

  /// Ends a subscription, which is to be unlinked then: its observer may be subscribed anew.
  ///
  /// - Returns: Whether it had not ended before.
  @usableFromInline
  func markEnded(_ subscription: Subscription, at address: Address) -> Bool {
    mailbox.withLock { _ in
      guard !subscription.isEnded else { return false }
      subscription.markEnded()
      address.unregister(subscription)
      return true
    }
  }

  /// Ends a subscription, and takes it out of its audience, unless that is gone: now if the mailbox is idle, else before the next
  /// round of notification.
  ///
  /// - Returns: Whether that is done, so that the subscription is to be let go of. If it is not, that is done with it.
  func endFromOutside(_ subscription: Subscription, at address: Address) -> Bool {
    let isInside = isInside
    return mailbox.withLock { mailbox in
      guard !subscription.isEnded else { return false }
      subscription.markEnded()
      address.unregister(subscription)
      guard let target = address.target else { return false }
      let audience = unsafeDowncast(target, to: Audience.self)
      guard !mailbox.isIdle else {
        // It is not freed here: whoever ends it has it.
        audience.unlink(subscription)
        return true
      }
      if isInside { audience.stopCounting(subscription) }
      let departure = QueuedWork(node: audience) { audience in
        unsafeDowncast(audience, to: Audience.self).unlink(subscription)
        address.releaseUnlinked(subscription)
      }
      enqueueLinkUpdate(departure, in: &mailbox)
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
  func updateLinks(
    at address: Address,
    _ change: @escaping @Sendable (AnyObject) -> Void,
    afterwards: @escaping @Sendable () -> Void = {}
  ) {
    var isDone = false
    mailbox.withLock { mailbox in
      guard let target = address.target else { return }
      if mailbox.isIdle {
        change(target)
        isDone = true
      } else {
        let work = QueuedWork(node: target) { target in
          change(target)
          afterwards()
        }
        enqueueLinkUpdate(work, in: &mailbox)
      }
    }
    if isDone { afterwards() }
  }

  /// Makes a node the last child of its parent, unless the address of that is closed: now if the mailbox is idle, else before the next
  /// round of notification, and no later than a derived value follows it.
  @usableFromInline
  func join(_ child: Node, by parentSubscription: Subscription, at address: Address) {
    mailbox.withLock { mailbox in
      guard address.target != nil else { return }
      guard !mailbox.isIdle else { return child.join(parentSubscription) }
      mailbox.joins.append(QueuedWork(node: child) { _ in child.join(parentSubscription) })
      hasLinkUpdates.store(true, ordering: .releasing)
    }
  }

  func enqueueLinkUpdate(_ change: QueuedWork, in mailbox: inout Mailbox) {
    mailbox.changes.append(change)
    hasLinkUpdates.store(true, ordering: .releasing)
  }

  /// Closes an address for good and lets its audience go: now if the mailbox is idle, else behind what waits.
  ///
  /// - The audience's links to others are cut, as a change in ``rearrange(at:_:afterwards:)``.
  func close(_ address: Address) {
    var leaving: Audience?
    var isIdle = false
    let acceptance = mailbox.withLock { mailbox in
      guard let target = address.target else { return Mailbox.Acceptance.refused }
      let audience = unsafeDowncast(target, to: Audience.self)
      leaving = audience
      address.close()
      isIdle = mailbox.isIdle
      guard !isIdle else {
        audience.cutLinks()
        return .accepted
      }
      enqueueLinkUpdate(QueuedWork(node: audience) { unsafeDowncast($0, to: Audience.self).cutLinks() }, in: &mailbox)
      // What was accepted for the audience needs it.
      let release = QueuedWork(node: audience, .release) { audience in
        Tree.releaseLater(audience)
        unsafeDowncast(audience, to: Audience.self).releaseObservers()
      }
      return mailbox.accept(release, quality: address.quality)
    }
    _ = wakeIfNeeded(after: acceptance)
    if isIdle { leaving?.releaseObservers() }
    // Freed here, outside the lock, if nothing else holds it.
    leaving = nil
  }

  /// Keeps an object that is let go of outside until no step runs that may use it.
  func keepUntilStepEnds(_ object: AnyObject) {
    mailbox.withLock { mailbox in
      if !mailbox.isIdle { enqueueLinkUpdate(QueuedWork(node: object) { Tree.releaseLater($0) }, in: &mailbox) }
    }
  }

  /// Makes the changes of links that wait. On the queue, between two entries.
  func applyLinkUpdates() {
    // What a change releases may ask for more.
    while hasLinkUpdates.load(ordering: .acquiring) { applyWaitingLinkUpdates() }
  }

  /// Lets those children join their parents that wait to. On the queue, also in a callback: nobody listens at them yet who could be
  /// called in the running round.
  @usableFromInline
  func applyJoins() {
    guard hasLinkUpdates.load(ordering: .acquiring) else { return }
    let joins = mailbox.withLock { mailbox in
      let joins = mailbox.joins
      mailbox.joins = []
      return joins
    }
    if !joins.isEmpty { make(joins) }
  }

  @inline(never)
  private func applyWaitingLinkUpdates() {
    let changes = mailbox.withLock { mailbox in
      hasLinkUpdates.store(false, ordering: .relaxed)
      let changes = mailbox.joins.isEmpty ? mailbox.changes : mailbox.joins + mailbox.changes
      mailbox.joins = []
      mailbox.changes = []
      return changes
    }
    make(changes)
  }

  private func make(_ changes: [QueuedWork]) {
    // They may be the last to hold what they deal with. First, so that all goes in the order in which it is let go of.
    Tree.releaseLater(ReleaseBatch(changes))
    for change in changes { change.work(change.node) }
  }
}
