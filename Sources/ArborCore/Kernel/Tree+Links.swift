/// Changes to the lists that rounds of notification walk.
///
/// - A subscription is linked in its own entry, or between two. It is unlinked in its own call, where the round has
///   already passed it.
/// - Two things are appended at once, also inside a callback. One is the subscription of an early observer: it already
///   has the current state, so it doesn't matter if the round reaches it. The other is a new child with an early
///   observer: it has no other observers yet, so the round doesn't miss any.
/// - Any other change waits as a link update until the running entry has ended: the end of a subscription from outside,
///   a closed address.
/// - Between two entries, the tree also runs reads that don't wait for entries, and releases objects that a step might
///   have used.
extension Tree {
  /// Registers a subscription when its turn comes, unless it has ended or its observer is already subscribed.
  ///
  /// - Returns: The registered subscription of the observer: this one, or the existing one. Nil if this one has ended.
  @usableFromInline
  func register(_ subscription: ObserverSubscription, at address: Address) -> ObserverSubscription? {
    mailbox.withLock { _ in
      subscription.isEnded ? nil : address.register(subscription)
    }
  }

  /// Marks a subscription as ended in its own call; the caller then unlinks it. Its observer may be subscribed again.
  ///
  /// - Returns: `true` if the subscription hadn't ended before.
  @usableFromInline
  func markEnded(_ subscription: ObserverSubscription, at address: Address) -> Bool {
    mailbox.withLock { _ in
      guard !subscription.isEnded else { return false }
      subscription.markEnded()
      address.unregister(subscription)
      return true
    }
  }

  /// Ends a subscription from outside its own call, and unlinks it: now if the tree is idle, otherwise before the next
  /// round of notification.
  ///
  /// - Returns: `true` if the subscription was unlinked now, so that the caller releases it. Otherwise it is unlinked
  ///   and released later, or it ended earlier, or its address is closed.
  func endFromOutside(_ subscription: ObserverSubscription, at address: Address) -> Bool {
    let isInside = isInside
    return mailbox.withLock { mailbox in
      guard !subscription.isEnded else { return false }
      subscription.markEnded()
      address.unregister(subscription)
      guard let target = address.target else { return false }
      let audience = Audience.of(target)
      guard !mailbox.isIdle else {
        // The caller keeps it alive, so that it isn't freed here, under the lock.
        audience.unlink(subscription)
        return true
      }
      if isInside { audience.stopCounting(subscription) }
      let removal = QueuedWork(with: audience) { audience in
        Audience.of(audience).unlink(subscription)
        address.releaseUnlinked(subscription)
      }
      enqueueLinkUpdate(removal, in: &mailbox)
      return false
    }
  }

  /// Applies a link update at an address, unless it is closed: now if the tree is idle, otherwise before the next
  /// entry.
  ///
  /// - Parameters:
  ///   - change: Called under the lock or on the queue: it must neither call user code nor release a user's object.
  ///   - afterwards: Called after the update, without the lock.
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
        let work = QueuedWork(with: target) { target in
          change(target)
          afterwards()
        }
        enqueueLinkUpdate(work, in: &mailbox)
      }
    }
    if isDone { afterwards() }
  }

  /// Adds a node as the last child of its parent, unless the parent's address is closed: now if the tree is idle,
  /// otherwise before the next entry, and before the child gets an early observer.
  @usableFromInline
  func join(_ child: Node, by parentSubscription: ObserverSubscription, at address: Address) {
    mailbox.withLock { mailbox in
      guard address.target != nil else { return }
      guard !mailbox.isIdle else { return child.join(parentSubscription) }
      mailbox.joins.append(QueuedWork(with: child) { _ in child.join(parentSubscription) })
      hasLinkUpdates.store(true)
    }
  }

  /// Runs work between the running entry and the next one.
  package func beforeNextEntry(_ work: @escaping @Sendable () -> Void) {
    mailbox.withLock { mailbox in enqueueLinkUpdate(QueuedWork(with: self) { _ in work() }, in: &mailbox) }
  }

  /// Enqueues a link update, which is applied before the next entry. Called under the lock.
  func enqueueLinkUpdate(_ change: QueuedWork, in mailbox: inout Mailbox) {
    mailbox.linkUpdates.append(change)
    hasLinkUpdates.store(true)
  }

  /// Closes an address for good and releases its audience: now if the tree is idle, otherwise after the waiting
  /// entries.
  ///
  /// - The audience's links to its sources are cut earlier, as a link update.
  ///
  /// - Parameter object: An object that is released with the audience.
  package func close(_ address: Address, with object: (any AnyObject & Sendable)? = nil) {
    // The audience, if the tree is idle. Otherwise the waiting release keeps it, and the thread that runs the release
    // frees it.
    var leaving: Audience?
    let acceptance = mailbox.withLock { mailbox in
      guard let target = address.target else { return Mailbox.Acceptance.refused }
      let audience = Audience.of(target)
      address.close()
      guard !mailbox.hasRunAll else {
        leaving = audience
        audience.cutLinks()
        return .accepted
      }
      enqueueLinkUpdate(QueuedWork(with: audience) { Audience.of($0).cutLinks() }, in: &mailbox)
      // The entries accepted for the audience need it.
      let release = QueuedWork(with: audience, .release) { audience in
        Tree.releaseLater(audience)
        if let object { Tree.releaseLater(object) }
        Audience.of(audience).releaseObservers()
      }
      return mailbox.accept(release, quality: address.quality)
    }
    _ = wakeIfNeeded(after: acceptance)
    leaving?.releaseObservers()
    // Freed here, outside the lock, if nothing else holds it.
    leaving = nil
  }

  /// Keeps an object that was released outside the tree until no running step can use it.
  package func keepUntilStepEnds(_ object: AnyObject) {
    mailbox.withLock { mailbox in
      if !mailbox.isIdle { enqueueLinkUpdate(QueuedWork(with: object) { Tree.releaseLater($0) }, in: &mailbox) }
    }
  }

  /// Applies the waiting link updates. Called on the queue, between two entries.
  func applyLinkUpdates() {
    // Objects that an update releases may request more updates.
    while hasLinkUpdates.load() { applyWaitingLinkUpdates() }
  }

  /// Adds the waiting new children to their parents. Called on the queue, also inside a callback: the children have no
  /// observers yet, so the running round of notification isn't affected.
  @usableFromInline
  func applyJoins() {
    guard hasLinkUpdates.load() else { return }
    let joins = mailbox.withLock { mailbox in
      let joins = mailbox.joins
      mailbox.joins = []
      return joins
    }
    if !joins.isEmpty { apply(joins) }
  }

  @inline(never)
  private func applyWaitingLinkUpdates() {
    let updates = mailbox.withLock { mailbox in
      hasLinkUpdates.store(false)
      let updates = mailbox.joins.isEmpty ? mailbox.linkUpdates : mailbox.joins + mailbox.linkUpdates
      mailbox.joins = []
      mailbox.linkUpdates = []
      return updates
    }
    apply(updates)
  }

  private func apply(_ updates: [QueuedWork]) {
    // The updates may be the last owners of their nodes. Deferred first, so that objects are released in order.
    Tree.releaseLater(ReleaseBatch(updates))
    for update in updates { update.work(update.object) }
  }
}

extension Tree: CustomReflectable {
  /// Empty, so that the description of a store in a failed test or a debugger doesn't lead into the engine, which other
  /// threads change.
  @usableFromInline package var customMirror: Mirror { Mirror(self, children: []) }
}

extension Tree {
  /// The root's name in parentheses, for the end of a report; empty for a tree without a root.
  package var nameInParentheses: String { rootName.map { " (\($0.text))" } ?? "" }

  /// Stops the program because of a misuse, with the name of the tree's root.
  @inline(never)
  @usableFromInline
  package func stop(for misuse: Misuse) -> Never {
    guard let rootName else { misuse.stop() }
    misuse.stop(about: rootName.text)
  }
}
