public import Dispatch

/// Running the entries of the mailbox, in order.
extension Tree {
  /// Wakes the executor if an acceptance requires it.
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
    // On one of the tree's own queues: this thread is still on the tree's queue, and the global queues may not have a
    // free thread.
    deliver(on: releaseQueue) { releases.release() }
  }

  @usableFromInline
  package func drainLater(quality: DispatchQoS) {
    // Released after the block has run.
    _ = Unmanaged.passRetained(self)
    if quality == self.quality {
      queue.async(execute: drainAndRelease)
    } else {
      queue.async(qos: quality, flags: .enforceQoS, execute: drainAndRelease)
    }
  }

  /// Makes the block of all wakes. A new block for each wake would cost more than the wake itself.
  func makeDrainAndRelease() -> @Sendable @convention(block) () -> Void {
    { [tree = Unmanaged.passUnretained(self)] in
      tree._withUnsafeGuaranteedRef { $0.drain(atMost: QueueExecutor.batch) }
      tree.release()
    }
  }

  /// Runs waiting entries, up to a limit. Called on the queue.
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

  /// Runs a body as the tree's work. Called on the queue; afterward, the thread has left the tree.
  ///
  /// - Parameter caller: The tree whose callback the thread was in; nil if it wasn't in one.
  /// - Returns: The objects to release after the thread has left the queue of every tree, if there are any.
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

  /// Applies the waiting link updates, and leaves the queue.
  private func leave() -> Mailbox.Departure {
    current.trim()
    gated.trim()
    while true {
      applyLinkUpdates()
      // A callback may have read or changed another tree whose value is combined here.
      actAfterObservers()
      let departure = mailbox.withLock { mailbox in mailbox.leave(hasBacklog: !current.isEmpty || gated.areNext) }
      guard case .refused = departure else { return departure }
    }
  }

  /// Runs work when the running thread leaves the queue, or at once on a thread that isn't on the queue.
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
    // Cleared first, so that an attachment can set it to be called again.
    while step.isFollowed {
      step.isFollowed = false
      attachments.visit { $0.actAfterObservers() }
    }
  }

  /// Calls the tree's attachments before a call that waited for the tree returns.
  @usableFromInline
  package func actAfterWait() {
    attachments.visit { $0.actAfterWait() }
  }

  /// Runs work later, on another queue. Until then, the tree hasn't settled.
  package func deliver(on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void) {
    pending.begin()
    executor.deliver(on: queue) { [pending] in
      work()
      pending.end()
    }
  }

  /// Runs work after everything already accepted.
  package func afterAccepted(_ kind: WaitingEntry.Kind = .other, _ work: @escaping @Sendable () -> Void) {
    let acceptance = mailbox.withLock { mailbox in
      mailbox.accept(QueuedWork(with: self, kind) { _ in work() }, quality: .unspecified)
    }
    _ = wakeIfNeeded(after: acceptance)
  }

  /// Reports an event to the listener, with the current time, when its turn comes. May be called from any thread.
  ///
  /// - Parameter condition: Called when the turn comes: the event is only reported if it returns `true`.
  package func post(_ event: @autoclosure () -> TreeEvent, if condition: @escaping @Sendable () -> Bool = { true }) {
    guard let listener else { return }
    let (event, time) = (event(), listener.time)
    afterAccepted(.event) {
      if condition() { listener.report(event, at: time) }
    }
  }

  /// The cause of anything that begins now on the calling thread. May be read from any thread.
  @usableFromInline package var cause: ActionCause {
    guard let listener, listener.wantsCauses, isInside else { return .outside }
    return step.cause
  }

  /// Runs callbacks that don't belong to a step. Called on the tree's queue.
  package func run(causedBy cause: @autoclosure () -> ActionCause, _ callbacks: () -> Void) {
    guard let listener, listener.wantsCauses else { return callbacks() }
    let outer = step.cause
    step.cause = cause()
    callbacks()
    step.cause = outer
  }

  /// Ends a batch: runs the work that depends on the state after its last action.
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
  /// - The task resumes after everything that the entry released and the link updates that it caused. If no other entry
  ///   waits, it resumes after the thread has left the queue, so that it finds the tree idle.
  @usableFromInline
  package func complete(_ completion: @escaping @Sendable () -> Void) {
    applyLinkUpdates()
    actAfterObservers()
    if let releases = thread.releases { return releases.append(completion) }
    let isLast = current.isEmpty && !gated.areNext && mailbox.withLock { mailbox in mailbox.entries.isEmpty }
    guard isLast else { return completion() }
    thread.completion = completion
  }

  /// Runs the entries before a position, and those that waited at a gate that is open now. Called on the queue.
  func run(until position: UInt64) {
    while begun < position || gated.areNext, runNext() {}
    // The waiting caller may now make its own step, like another entry.
    applyLinkUpdates()
  }

  /// Runs the next entry, and returns `false` if there is none. Called on the queue.
  func runNext() -> Bool {
    applyLinkUpdates()
    guard let entry = next() else { return false }
    if let gate = gated.gate, holdAtGate(entry, gate) { return true }
    enter(.other)
    entry.handler._withUnsafeGuaranteedRef { $0.run(entry.payload) }
    // Needed even without a step here: a callback may have changed another tree whose value is combined here.
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

  /// Takes the waiting entries out of the mailbox.
  ///
  /// - An update that was enqueued before one of them is applied before it, which may release its object.
  @inline(never)  // Keeps the code that most entries don't need in one place.
  private func takeEntries() {
    while !mailbox.withLock({ mailbox in mailbox.takeEntries(&current) }) { applyLinkUpdates() }
  }
}
