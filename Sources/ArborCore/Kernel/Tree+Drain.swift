public import Dispatch

/// Running the entries of the mailbox, in order.
extension Tree {
  /// Wakes the executor if an acceptance asks for it.
  ///
  /// - Returns: `true` if the entry was accepted.
  func wakeIfNeeded(after acceptance: Mailbox.Acceptance) -> Bool {
    switch acceptance {
    case .refused:
      return false
    case .accepted:
      return true
    case .acceptedToWake(let quality):
      executor.wake(self, quality: quality.service)
      return true
    }
  }

  @usableFromInline package func drain(atMost limit: Int) {
    guard let releases = drainOnQueue(atMost: limit) else { return }
    // On a queue of the tree's own: this thread is still on the tree's queue, and the global queues may have no free
    // thread.
    deliver(on: releaseQueue) { releases.release() }
  }

  @usableFromInline
  package func drainLater(quality: DispatchQoS) {
    // Released when the block has run.
    _ = Unmanaged.passRetained(self)
    if quality == self.quality {
      queue.async(execute: drainAndRelease)
    } else {
      queue.async(qos: quality, flags: .enforceQoS, execute: drainAndRelease)
    }
  }

  /// Makes the block of all wakes: to make one for each would cost more than the wake.
  func makeDrainAndRelease() -> @Sendable @convention(block) () -> Void {
    { [tree = Unmanaged.passUnretained(self)] in
      tree._withUnsafeGuaranteedRef { $0.drain(atMost: QueueExecutor.batch) }
      tree.release()
    }
  }

  /// Runs entries that wait, up to a limit. On the queue.
  ///
  /// - Returns: The objects to release after leaving the queue, if there are any.
  func drainOnQueue(atMost limit: Int) -> DeferredReleases? {
    let isAlone = mailbox.withLock { mailbox in mailbox.beginDrain() }
    return runTreeWork(from: currentTree.value) {
      var count = 0
      // A pending completion ends the drain: the Swift task that it resumes must find the tree idle.
      while isAlone, count < limit, thread.completion == nil, runNext() { count += 1 }
    }
  }

  /// Runs a body as the tree's work. On the queue; afterwards the thread has left the tree.
  ///
  /// - Parameter caller: The tree whose callback the thread was in; nil if it was in none.
  /// - Returns: The objects to release once the thread has left the queue of every tree, if there are any.
  func runTreeWork(from caller: UnsafeRawPointer?, _ body: () -> Void) -> DeferredReleases? {
    thread.enclosing = caller
    currentTree.set(pointer)
    body()
    let departure = leave()
    currentTree.set(caller)
    thread.enclosing = nil
    if !thread.afterwards.isEmpty {
      let afterwards = thread.afterwards
      thread.afterwards = []
      for work in afterwards { work() }
    }
    if let completion = thread.completion.take() {
      if let releases = thread.releases { releases.append(completion) } else { completion() }
    }
    if case .leftToWake(let quality) = departure { executor.wake(self, quality: quality.service) }
    guard let released = thread.releases.take() else { return nil }
    guard let caller else { return released }
    Unmanaged<Tree>.fromOpaque(caller)._withUnsafeGuaranteedRef { enclosing in
      if let others = enclosing.thread.releases {
        others.append(released)
      } else {
        enclosing.thread.releases = released
      }
    }
    return nil
  }

  /// Applies the link updates that wait, and leaves the queue.
  private func leave() -> Mailbox.Departure {
    current.trim()
    gated.trim()
    while true {
      applyLinkUpdates()
      // A callback may have read, or changed, another tree whose value is combined here.
      actAfterObservers()
      let departure = mailbox.withLock { mailbox in mailbox.leave(hasBacklog: !current.isEmpty || gated.areNext) }
      guard case .refused = departure else { return departure }
    }
  }

  /// Runs work when the running thread leaves the queue; at once on a thread that is not on the queue.
  package func afterLeaving(_ work: @escaping @Sendable () -> Void) {
    if isInside { thread.afterwards.append(work) } else { work() }
  }

  /// Calls the tree's attachments between the early observers of a step and the others.
  @inlinable
  func actBeforeObservers() {
    if step.isFollowed { callBeforeObservers() }
  }

  /// Calls the tree's attachments after the observers of a step, or after another callback.
  @inlinable
  package func actAfterObservers() {
    if step.isFollowed { callAfterObservers() }
  }

  @usableFromInline @inline(never)
  func callBeforeObservers() {
    attachments.visit { $0.actBeforeObservers() }
  }

  @usableFromInline @inline(never)
  func callAfterObservers() {
    // Cleared first: an attachment that is to act again says so.
    while step.isFollowed {
      step.isFollowed = false
      attachments.visit { $0.actAfterObservers() }
    }
  }

  /// Calls the tree's attachments before a call returns that has waited for the tree.
  @usableFromInline
  package func actAfterWait() {
    attachments.visit { $0.actAfterWait() }
  }

  /// Runs work on another queue, later. Until then, the tree has not settled.
  package func deliver(on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void) {
    pending.begin()
    executor.deliver(on: queue) { [pending] in
      work()
      pending.end()
    }
  }

  /// Runs work after everything that was accepted before.
  package func afterAccepted(_ kind: WaitingEntry.Kind = .other, _ work: @escaping @Sendable () -> Void) {
    let acceptance = mailbox.withLock { mailbox in
      mailbox.accept(QueuedWork(with: self, kind) { _ in work() }, quality: .unspecified)
    }
    _ = wakeIfNeeded(after: acceptance)
  }

  /// Reports an event to the listener, with the current time, in its turn. From any thread.
  ///
  /// - Parameter condition: Called in that turn: the event is reported only if it returns `true`.
  package func post(_ event: @autoclosure () -> TreeEvent, if condition: @escaping @Sendable () -> Bool = { true }) {
    guard let listener else { return }
    let (event, time) = (event(), listener.time)
    afterAccepted(.event) {
      if condition() { listener.report(event, at: time) }
    }
  }

  /// The cause of what begins now on the calling thread. From any thread.
  @usableFromInline package var cause: ActionCause {
    guard let listener, listener.wantsCauses, isInside else { return .outside }
    return step.cause
  }

  /// Runs callbacks that a step does not call. On the tree's queue.
  package func run(causedBy cause: @autoclosure () -> ActionCause, _ callbacks: () -> Void) {
    guard let listener, listener.wantsCauses else { return callbacks() }
    let outer = step.cause
    step.cause = cause()
    callbacks()
    step.cause = outer
  }

  /// Ends a batch: runs the work that depends on the state that its last action has left.
  @usableFromInline
  func endBatch() {
    guard let work = step.afterBatch.take(), !work.isEmpty else { return }
    enter(.effects)
    step.isPerformingEffects = true
    for run in work { run() }
    step.isPerformingEffects = false
  }

  /// Resumes a task that awaited the running entry.
  ///
  /// - After everything that the entry has released and the link updates it has caused. If no other entry waits, after
  ///   the thread has left the queue, so that the task finds the tree idle.
  @usableFromInline
  package func complete(_ completion: @escaping @Sendable () -> Void) {
    applyLinkUpdates()
    actAfterObservers()
    if let releases = thread.releases { return releases.append(completion) }
    let isLast = current.isEmpty && !gated.areNext && mailbox.withLock { mailbox in mailbox.entries.isEmpty }
    guard isLast else { return completion() }
    thread.completion = completion
  }

  /// Runs the entries before a position, and those that have waited at a gate which is open now. On the queue.
  func run(until position: UInt64) {
    while begun < position || gated.areNext, runNext() {}
    // The waiting caller may now make a step of its own, like a next entry.
    applyLinkUpdates()
  }

  /// Runs the next entry, and returns `false` if there is none. On the queue.
  func runNext() -> Bool {
    applyLinkUpdates()
    guard let entry = next() else { return false }
    if let gate = gated.gate, holdAtGate(entry, gate) { return true }
    enter(.other)
    entry.handler._withUnsafeGuaranteedRef { $0.run(entry.payload) }
    // Even without a step here: a callback may have changed another tree whose value is combined here.
    actAfterObservers()
    return true
  }

  private func next() -> EntryQueue.Entry? {
    if gated.areNext { return gated.next() }
    var entry = current.next()
    if entry == nil {
      takeEntries()
      entry = current.next()
    }
    if entry != nil {
      begun += 1
      gated.running = 0
    }
    return entry
  }

  /// Takes the entries that wait out of the mailbox.
  ///
  /// - An update that was enqueued before one of them is applied before it, which may release its object.
  @inline(never)  // So that what most entries do not need is there once.
  private func takeEntries() {
    while !mailbox.withLock({ mailbox in mailbox.takeEntries(&current) }) { applyLinkUpdates() }
  }
}
