internal import Dispatch

/// Running what waits, in order.
extension Mailbox {
  @usableFromInline package func drain(atMost limit: Int) {
    guard let releases = drainOnQueue(atMost: limit) else { return }
    // Only elsewhere is this thread in no queue of a tree. Not on a queue of all, where others may block each thread there is.
    executor.deliver(on: releasing) { releases.release() }
  }

  func drainOnQueue(atMost limit: Int) -> Releases? {
    let isAlone = inbox.withLock { inbox in inbox.answerWake() }
    return attendOnQueue(from: runningHere.value) {
      var count = 0
      // A task that could find the tree idle goes on before what has come in meanwhile.
      while isAlone, count < limit, completion == nil, runNext() { count += 1 }
    }
  }

  /// Runs a body as the tree's work, on its queue.
  ///
  /// - Returns: The objects to be released once the thread has left the queue of every tree, if there are any.
  func attendOnQueue(from caller: UnsafeRawPointer?, _ body: () -> Void) -> Releases? {
    outer = caller
    runningHere.set(address)
    body()
    let departure = leave()
    runningHere.set(caller)
    outer = nil
    if !afterwards.isEmpty {
      let afterwards = self.afterwards
      self.afterwards = []
      for work in afterwards { work() }
    }
    if let completion {
      self.completion = nil
      if let released { released.append(completion) } else { completion() }
    }
    if case .leftToWake(let quality) = departure { executor.wake(self, quality: quality.service) }
    guard let released = released.take() else { return nil }
    guard let caller else { return released }
    Unmanaged<Mailbox>.fromOpaque(caller)._withUnsafeGuaranteedRef { outer in
      if let others = outer.released { others.append(released) } else { outer.released = released }
    }
    return nil
  }

  func leave() -> Inbox.Departure {
    current.trim()
    while true {
      makeChanges()
      // What a glance at the state has read of another tree may be combined here.
      derivations.settle(in: self)
      let departure = inbox.withLock { inbox in inbox.leave(hasBacklog: !current.isEmpty) }
      guard case .refused = departure else { return departure }
    }
  }

  /// Does something once the queue was left, so that many entries cost it once; at once if this is not the queue.
  func afterLeaving(_ work: @escaping @Sendable () -> Void) {
    if isInside { afterwards.append(work) } else { work() }
  }

  /// Does something once all that is accepted has been run.
  func afterAccepted(_ kind: WaitingEntry.Kind = .other, _ work: @escaping @Sendable () -> Void) {
    let acceptance = inbox.withLock { inbox in
      inbox.accept(Errand(node: self, kind) { _ in work() }, quality: Quality(.unspecified))
    }
    _ = settle(acceptance)
  }

  /// Does something once all that is accepted has been run; not at all if nothing is.
  func behindAccepted(_ work: @escaping @Sendable () -> Void) {
    let acceptance = inbox.withLock { inbox in
      guard !inbox.isIdle else { return Inbox.Acceptance.refused }
      return inbox.accept(Errand(node: self) { _ in work() }, quality: Quality(.unspecified))
    }
    _ = settle(acceptance)
  }

  /// Tells of something that happens right now, in its turn, if a condition holds by then. From any thread.
  func post(_ event: @autoclosure () -> StoreEvent, if condition: @escaping @Sendable () -> Bool = { true }) {
    guard let listener else { return }
    let (event, time) = (event(), listener.time)
    afterAccepted(.event) {
      if condition() { listener.tell(event, at: time) }
    }
  }

  /// How much comes before what happens now, and whether it is the tree's own work that makes it happen.
  var place: (place: UInt64, isInside: Bool) {
    isInside ? (begun, true) : (inbox.withLock { $0.accepted }, false)
  }

  /// Calls what a task waits for, behind the running entry: once the queue was left, if nothing else waits, so that the task finds
  /// the tree idle.
  @usableFromInline
  func complete(_ completion: @escaping @Sendable () -> Void) {
    // It goes on behind all that its step has let go of, and what that has changed of the links.
    makeChanges()
    derivations.settle(in: self)
    if let released { return released.append(completion) }
    let isLast = current.isEmpty && inbox.withLock { inbox in inbox.entries.isEmpty }
    guard isLast else { return completion() }
    self.completion = completion
  }

  func run(until ticket: UInt64) {
    while begun < ticket, runNext() {}
    // Whoever waits may make a step of his own now, as if it were the next entry.
    makeChanges()
  }

  func runNext() -> Bool {
    makeChanges()
    guard let entry = next() else { return false }
    begin(.other)
    entry.handler._withUnsafeGuaranteedRef { $0.run(entry.payload) }
    // What a callback has changed in another tree may be combined here, also if there was no step.
    derivations.settle(in: self)
    return true
  }

  func next() -> EntryQueue.Entry? {
    var entry = current.next()
    if entry == nil {
      inbox.withLock { inbox in swap(&inbox.entries, &current) }
      entry = current.next()
    }
    if entry != nil { begun += 1 }
    return entry
  }

  @usableFromInline package var waiting: Int {
    var waiting = 0
    func count() { waiting = Int(inbox.withLock { $0.accepted } - begun) }
    if isInside { count() } else { onQueue(count) }
    return waiting
  }

  /// The number of drains and waits that run or are on their way to the queue.
  package var attendants: Int {
    inbox.withLock { $0.attendants }
  }

  /// The number of chunks of memory that hold or await entries.
  package var chunkCount: Int {
    var count = 0
    onQueue { count = current.chunkCount + inbox.withLock { $0.entries.chunkCount } }
    return count
  }
}
