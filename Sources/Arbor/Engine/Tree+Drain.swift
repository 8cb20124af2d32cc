internal import Dispatch

/// Running what waits, in order.
extension Tree {
  @usableFromInline package func drain(atMost limit: Int) {
    guard let releases = drainOnQueue(atMost: limit) else { return }
    // Only elsewhere is this thread in no queue of a tree. Not on a queue of all, where others may block each thread there is.
    executor.deliver(on: releaseQueue) { releases.release() }
  }

  func drainOnQueue(atMost limit: Int) -> DeferredReleases? {
    let isAlone = mailbox.withLock { mailbox in mailbox.beginDrain() }
    return runTreeWork(from: currentTree.value) {
      var count = 0
      // A task that could find the tree idle goes on before what has come in meanwhile.
      while isAlone, count < limit, completion == nil, runNext() { count += 1 }
    }
  }

  /// Runs a body as the tree's work, on its queue.
  ///
  /// - Returns: The objects to be released once the thread has left the queue of every tree, if there are any.
  func runTreeWork(from caller: UnsafeRawPointer?, _ body: () -> Void) -> DeferredReleases? {
    enclosing = caller
    currentTree.set(pointer)
    body()
    let departure = leave()
    currentTree.set(caller)
    enclosing = nil
    if !afterwards.isEmpty {
      let afterwards = self.afterwards
      self.afterwards = []
      for work in afterwards { work() }
    }
    if let completion {
      self.completion = nil
      if let deferredReleases { deferredReleases.append(completion) } else { completion() }
    }
    if case .leftToWake(let quality) = departure { executor.wake(self, quality: quality.service) }
    guard let released = deferredReleases.take() else { return nil }
    guard let caller else { return released }
    Unmanaged<Tree>.fromOpaque(caller)._withUnsafeGuaranteedRef { enclosing in
      if let others = enclosing.deferredReleases {
        others.append(released)
      } else {
        enclosing.deferredReleases = released
      }
    }
    return nil
  }

  func leave() -> Mailbox.Departure {
    current.trim()
    while true {
      applyLinkUpdates()
      // What a glance at the state has read of another tree may be combined here.
      derivedUpdates.updateAndNotify(in: self)
      let departure = mailbox.withLock { mailbox in mailbox.leave(hasBacklog: !current.isEmpty) }
      guard case .refused = departure else { return departure }
    }
  }

  /// Does something once the queue was left, so that many entries cost it once; at once if this is not the queue.
  func afterLeaving(_ work: @escaping @Sendable () -> Void) {
    if isInside { afterwards.append(work) } else { work() }
  }

  /// Does something once all that is accepted has been run.
  func afterAccepted(_ kind: WaitingEntry.Kind = .other, _ work: @escaping @Sendable () -> Void) {
    let acceptance = mailbox.withLock { mailbox in
      mailbox.accept(QueuedWork(node: self, kind) { _ in work() }, quality: Quality(.unspecified))
    }
    _ = wakeIfNeeded(after: acceptance)
  }

  /// Does something once all that is accepted has been run; not at all if nothing is.
  func afterAcceptedUnlessIdle(_ work: @escaping @Sendable () -> Void) {
    let acceptance = mailbox.withLock { mailbox in
      guard !mailbox.isIdle else { return Mailbox.Acceptance.refused }
      return mailbox.accept(QueuedWork(node: self) { _ in work() }, quality: Quality(.unspecified))
    }
    _ = wakeIfNeeded(after: acceptance)
  }

  /// Tells of something that happens right now, in its turn, if a condition holds by then. From any thread.
  func post(_ event: @autoclosure () -> StoreEvent, if condition: @escaping @Sendable () -> Bool = { true }) {
    guard let listener else { return }
    let (event, time) = (event(), listener.time)
    afterAccepted(.event) {
      if condition() { listener.report(event, at: time) }
    }
  }

  /// How much comes before what happens now, and whether it is the tree's own work that makes it happen.
  var position: (position: UInt64, isInside: Bool) {
    isInside ? (begun, true) : (mailbox.withLock { $0.accepted }, false)
  }

  /// Calls what a task waits for, behind the running entry: once the queue was left, if nothing else waits, so that the task finds
  /// the tree idle.
  @usableFromInline
  func complete(_ completion: @escaping @Sendable () -> Void) {
    // It goes on behind all that its step has let go of, and what that has changed of the links.
    applyLinkUpdates()
    derivedUpdates.updateAndNotify(in: self)
    if let deferredReleases { return deferredReleases.append(completion) }
    let isLast = current.isEmpty && mailbox.withLock { mailbox in mailbox.entries.isEmpty }
    guard isLast else { return completion() }
    self.completion = completion
  }

  func run(until ticket: UInt64) {
    while begun < ticket, runNext() {}
    // Whoever waits may make a step of his own now, as if it were the next entry.
    applyLinkUpdates()
  }

  func runNext() -> Bool {
    applyLinkUpdates()
    guard let entry = next() else { return false }
    enter(.other)
    entry.handler._withUnsafeGuaranteedRef { $0.run(entry.payload) }
    // What a callback has changed in another tree may be combined here, also if there was no step.
    derivedUpdates.updateAndNotify(in: self)
    return true
  }

  func next() -> EntryQueue.Entry? {
    var entry = current.next()
    if entry == nil {
      mailbox.withLock { mailbox in swap(&mailbox.entries, &current) }
      entry = current.next()
    }
    if entry != nil { begun += 1 }
    return entry
  }

  @usableFromInline package var waiting: Int {
    var waiting = 0
    func count() { waiting = Int(mailbox.withLock { $0.accepted } - begun) }
    if isInside { count() } else { onQueue(count) }
    return waiting
  }

  /// The number of drains and waits that run or are on their way to the queue.
  package var activeThreads: Int {
    mailbox.withLock { $0.activeThreads }
  }

  /// The number of chunks of memory that hold or await entries.
  package var chunkCount: Int {
    var count = 0
    onQueue { count = current.chunkCount + mailbox.withLock { $0.entries.chunkCount } }
    return count
  }
}
