internal import Dispatch

/// Waiting for the entries that were accepted before, by a thread that runs them itself.
extension Tree {
  /// Notifies the executor that a task is about to suspend until an accepted entry has run.
  @usableFromInline
  package func taskWaits() {
    // An entry can't run before the callback that waits for it has ended.
    if !isInside { executor.taskWaits(for: self) }
  }

  /// Suspends until everything accepted before the call has run, except for entries that wait while another moment is
  /// shown.
  package func finishAccepted() async {
    await withCheckedContinuation { continuation in
      afterAccepted { continuation.resume() }
      taskWaits()
    }
  }

  /// `true` if the calling thread is in a callback of any tree.
  package var isInsideAny: Bool { currentTree.value != nil }

  /// Runs a body with the audience at an address, after everything accepted before the call; at once inside a callback.
  ///
  /// - Parameter call: The name of the waiting call, for the message about a long wait.
  /// - Returns: `true` if the address was open; otherwise the body was not called.
  @usableFromInline
  func wait(at address: Address, for call: StaticString, _ body: (AnyObject) -> Void) -> Bool {
    let caller = currentTree.value
    if mayReadAtOnce(from: caller) {
      guard address.isOpen else { return false }
      // Neither locked nor retained: if a thread closes the address now, it finds the tree busy, so the audience is
      // only freed after the running callback.
      address.unownedTarget._withUnsafeGuaranteedRef(body)
      return true
    }
    return waitOutside(from: caller, at: address, for: call) { _, target in body(target) }
  }

  /// Returns `true` inside a callback of the tree, where a state can be read at once. Inside a reducer, stops the
  /// program.
  @inline(__always)
  private func mayReadAtOnce(from caller: UnsafeRawPointer?) -> Bool {
    guard isInside(from: caller) else { return false }
    guard !step.isReducing else { stop(for: .readingStateInsideReducer) }
    return true
  }

  @inline(never)  // Keeps reading inside a callback from paying for saving registers.
  private func waitOutside(
    from caller: UnsafeRawPointer?,
    at address: Address,
    for call: StaticString,
    _ body: (_ position: UInt64, AnyObject) -> Void
  ) -> Bool {
    // Retained: an address that is closed now is released after this wait, but another thread may enter the queue first
    // and run that release. Retained manually, so that it is only retained once.
    var target: Unmanaged<AnyObject>?
    var position: UInt64 = 0
    mailbox.withLock { mailbox in
      target = address.target.map { Unmanaged.passRetained($0) }
      guard target != nil else { return }
      position = mailbox.accepted
      mailbox.enter()
    }
    guard let target else { return false }
    inspection?.willWait()
    runOnQueue(from: caller, for: call) {
      self.run(until: position)
      target._withUnsafeGuaranteedRef { body(position, $0) }
    }
    // This call may be the last owner.
    if caller != nil { Tree.releaseLater(target.takeUnretainedValue()) }
    target.release()
    return true
  }

  /// Runs a body with the audience at an address between two entries, without waiting for accepted ones; at once inside
  /// a callback.
  ///
  /// - Returns: `true` if the address was open; otherwise the body wasn't called.
  func readBetweenSteps(at address: Address, _ body: @escaping @Sendable (AnyObject) -> Void) -> Bool {
    let caller = currentTree.value
    guard !isInside(from: caller) else { return wait(at: address, for: "observe", body) }
    let done = DispatchSemaphore(value: 0)
    var target: AnyObject?
    let isQueued = mailbox.withLock { mailbox in
      target = address.target
      guard let target else { return false }
      guard mailbox.activeThreads > 0, caller == nil else {
        mailbox.enter()
        return false
      }
      // The running thread calls the body between two entries, or when it leaves.
      let read = QueuedWork(with: target) { target in
        body(target)
        done.signal()
      }
      enqueueLinkUpdate(read, in: &mailbox)
      return true
    }
    guard let target else { return false }
    if isQueued {
      #if DEBUG
        let cancelReport = reportLongWait(of: "observe", beside: 0)
        defer { cancelReport?() }
      #endif
      done.wait()
    } else {
      runOnQueue(from: caller, for: "observe") { body(target) }
    }
    if caller != nil { Tree.releaseLater(target) }
    return true
  }

  /// Runs a body as a step on the calling thread, after everything accepted before the call; then calls the tree's
  /// attachments.
  ///
  /// - Entries accepted while the caller waits for the queue may run before the body, in no defined order.
  /// - If the gate in front of the entries is closed, it is opened first.
  /// - Parameter misuse: The error that stops the program inside a callback of the tree.
  /// - Returns: `true` if the address was open; otherwise the body wasn't called.
  @usableFromInline
  func runInTurn(at address: Address, orStopWith misuse: Misuse, _ body: (AnyObject) -> Void) -> Bool {
    let caller = currentTree.value
    guard !isInside(from: caller) else { stop(for: misuse) }
    let isOpen = waitOutside(from: caller, at: address, for: misuse.call) { position, target in
      if gated.gate != nil { openGate(runningUntil: position) }
      body(target)
    }
    guard isOpen else { return false }
    actAfterWait()
    return true
  }

  /// Runs a body after everything accepted before the call; at once inside a callback.
  ///
  /// - Parameter call: The name of the waiting call, for the message about a long wait.
  @usableFromInline
  package func wait(for call: StaticString, _ body: () -> Void) {
    let caller = currentTree.value
    guard !mayReadAtOnce(from: caller) else { return body() }
    let position = mailbox.withLock { mailbox in
      mailbox.enter()
      return mailbox.accepted
    }
    inspection?.willWait()
    runOnQueue(from: caller, for: call) {
      self.run(until: position)
      body()
    }
  }

  @usableFromInline package func runAccepted() {
    wait(for: "dispatchAndWait") {}
  }

  @usableFromInline package func runOneEntry() {
    guard !isInside else { stop(for: .steppingInsideItsOwnTree) }
    var releases: DeferredReleases?
    onQueue { releases = drainOnQueue(atMost: 1) }
    releases?.release()
  }

  /// Enters the queue, runs a body there and leaves it; then releases the deferred objects.
  ///
  /// - Parameter call: The name of the waiting call, for the message about a long wait.
  package func runOnQueue(from caller: UnsafeRawPointer?, for call: StaticString, _ body: () -> Void) {
    var releases: DeferredReleases?
    #if DEBUG
      // The caller itself is one of the active threads.
      let cancelReport = reportLongWait(of: call, beside: 1)
    #endif
    if caller == nil {
      queue.sync { releases = runTreeWork(from: nil, body) }
    } else {
      onQueue(from: caller) { releases = runTreeWork(from: caller, body) }
    }
    #if DEBUG
      cancelReport?()
    #endif
    releases?.release()
  }

  /// Runs a body on the queue. Stops the program if this tree waits, directly or indirectly, for the tree whose
  /// callback the caller is in.
  func onQueue(_ body: () -> Void) {
    onQueue(from: currentTree.value, body)
  }

  private func onQueue(from caller: UnsafeRawPointer?, _ body: () -> Void) {
    guard let caller else { return queue.sync(execute: body) }
    WaitTable.begin(waiting: caller, for: pointer)
    queue.sync {
      body()
      WaitTable.end(waiting: caller)
    }
  }

  /// Runs a body as if on another thread, outside all trees' callbacks, for simulations on a single thread.
  package static func asOtherThread(_ body: () -> Void) {
    let (currentTree, currentReleases) = (Platform.ThreadLocal.currentTree, Platform.ThreadLocal.currentReleases)
    let before = (tree: currentTree.value, releases: currentReleases.value)
    currentTree.set(nil)
    currentReleases.set(nil)
    body()
    currentTree.set(before.tree)
    currentReleases.set(before.releases)
  }

  #if DEBUG
    /// Reports on standard error if a call waits for more than two seconds for other threads that run the tree's work.
    ///
    /// - Parameter count: The number of active threads that the caller doesn't wait for.
    /// - Returns: The function that cancels the report; nil if no other thread is active.
    private func reportLongWait(of call: StaticString, beside count: Int) -> (@Sendable () -> Void)? {
      guard activeThreads > count else { return nil }
      // A thread waits in real time, regardless of the clock of its store.
      return QueueExecutor().schedule(after: .seconds(2), on: ContinuousClock()) { [phase, nameInParentheses] in
        let phase = StepPhase(rawValue: phase.number.loadRelaxed())!
        Platform.writeToStandardError(
          """
          Arbor: a call of `\(call)` has waited for two seconds for a tree of stores, in which \(phase.text). If that is \
          only slow, the wait ends. If it waits for the calling thread, directly or through other threads or queues, both \
          wait forever. Don't wait in the callbacks of a store: dispatch an action instead, with the state that it \
          needs.\(nameInParentheses)
          """
        )
      }
    }
  #endif
}

/// The trees that wait for other trees, to distinguish a deadlock from a long wait.
///
/// The table only contains waits that begin inside a tree's own callback: no others can close a circle.
struct WaitTable: @unchecked Sendable {  // The pointers are only compared.
  private static let table = Protected(WaitTable())

  /// The awaited tree of each waiting tree. One thread runs a tree, so it waits for at most one other.
  private var waits: [UnsafeRawPointer: UnsafeRawPointer] = [:]

  /// Records that a tree waits for another one in a callback. Stops the program if that closes a circle.
  static func begin(waiting: UnsafeRawPointer, for awaited: UnsafeRawPointer) {
    let closesCircle = table.withLock { table in
      table.waits[waiting] = awaited
      return table.reaches(waiting, from: awaited)
    }
    guard !closesCircle else {
      Unmanaged<Tree>.fromOpaque(waiting).takeUnretainedValue().stop(for: .treesWaitOnEachOther)
    }
  }

  /// Removes a tree's wait. Called on the awaited tree's queue: its next callback must not see a wait that is over.
  static func end(waiting: UnsafeRawPointer) {
    table.withLock { table in
      table.waits[waiting] = nil
    }
  }

  private func reaches(_ goal: UnsafeRawPointer, from start: UnsafeRawPointer) -> Bool {
    var next: UnsafeRawPointer? = start
    while let current = next {
      if current == goal { return true }
      next = waits[current]
    }
    return false
  }
}

/// The running part of a tree's work. Recorded in debug builds, for the message about a long wait.
@usableFromInline
enum StepPhase: Int, Sendable {
  case other
  case interceptors
  case reducers
  case effects
  case earlyObservers
  case observers

  /// The running part of one tree's work. It is a separate object, so that a pending report doesn't retain the tree.
  @usableFromInline
  final class Current: Sendable {
    @usableFromInline let number = AtomicNumber(StepPhase.other.rawValue)
  }

  var text: String {
    switch self {
    case .other: "work of the tree runs"
    case .interceptors: "an interceptor runs"
    case .reducers: "a reducer or the closure of a commit runs"
    case .effects: "the declaration of an effect runs"
    case .earlyObservers: "the closure of a derived value runs"
    case .observers: "an observer runs"
    }
  }
}
