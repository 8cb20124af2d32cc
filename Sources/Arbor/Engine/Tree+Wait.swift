internal import Dispatch
public import Synchronization

/// Waiting for what was accepted before, by a thread that runs it itself.
extension Tree {
  /// Runs a body on the queue, behind everything accepted before the call; at once if called inside a callback.
  ///
  /// - Parameter call: The name of the call that waits.
  /// - Returns: Whether the address was still open; the body is not called if not.
  @usableFromInline
  func wait(at address: Address, for call: StaticString, _ body: (AnyObject) -> Void) -> Bool {
    let caller = currentTree.value
    if isInside(from: caller) {
      guard !isReducing else { Misuse.readingStateInsideReducer.stop() }
      guard address.isOpen else { return false }
      // Neither locked nor retained: whoever closes the address now finds the mailbox busy, and so the resident leaves behind
      // the running callback.
      address.unownedTarget._withUnsafeGuaranteedRef(body)
      return true
    }
    return waitOutside(from: caller, at: address, for: call, body)
  }

  @inline(never)  // So that reading inside a callback does not pay for its registers.
  private func waitOutside(
    from caller: UnsafeRawPointer?,
    at address: Address,
    for call: StaticString,
    _ body: (AnyObject) -> Void
  ) -> Bool {
    // Retained: an address that is closed now is closed behind the one who attends, but who comes to the queue before him may
    // run that already. By hand, so that it is done once.
    var target: Unmanaged<AnyObject>?
    var ticket: UInt64 = 0
    mailbox.withLock { mailbox in
      target = address.target.map { Unmanaged.passRetained($0) }
      guard target != nil else { return }
      ticket = mailbox.accepted
      mailbox.enter()
    }
    guard let target else { return false }
    inspection?.willWait()
    runOnQueue(from: caller, for: call) {
      self.run(until: ticket)
      target._withUnsafeGuaranteedRef(body)
    }
    // It may have been kept for this call alone.
    if caller != nil { Tree.releaseLater(target.takeUnretainedValue()) }
    target.release()
    return true
  }

  /// Runs a body on the queue between two entries, not waiting for what is accepted; at once if called inside a callback.
  ///
  /// - Returns: Whether the address was still open; the body is not called if not.
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
      // Whoever runs the tree's work lets the glance in between two entries, or as he leaves.
      let look = QueuedWork(node: target) { target in
        body(target)
        done.signal()
      }
      enqueueLinkUpdate(look, in: &mailbox)
      return true
    }
    guard let target else { return false }
    if isQueued {
      #if DEBUG
        let stopWatching = watchWait(for: "observe", behind: 0)
        defer { stopWatching?() }
      #endif
      done.wait()
    } else {
      runOnQueue(from: caller, for: "observe") { body(target) }
    }
    if caller != nil { Tree.releaseLater(target) }
    return true
  }

  /// Runs a body on the queue and the calling thread, behind everything accepted before the call; and delivers then what waits
  /// for the main actor, if this is on it.
  ///
  /// - What is accepted while the caller waits for the queue may come before the body: nothing says which of them was first.
  /// - Parameter misuse: What stops the program inside a callback.
  /// - Returns: Whether the address was still open; the body is not called if not.
  @usableFromInline
  func runInTurn(at address: Address, else misuse: Misuse, _ body: (AnyObject) -> Void) -> Bool {
    let caller = currentTree.value
    guard !isInside(from: caller) else { misuse.stop() }
    guard waitOutside(from: caller, at: address, for: misuse.call, body) else { return false }
    main.deliverNow()
    return true
  }

  /// Runs a body on the queue, behind everything accepted before the call; at once if called inside a callback.
  ///
  /// - Parameter call: The name of the call that waits.
  @usableFromInline
  func wait(for call: StaticString, _ body: () -> Void) {
    let caller = currentTree.value
    guard !isInside(from: caller) else {
      guard !isReducing else { Misuse.readingStateInsideReducer.stop() }
      return body()
    }
    inspection?.willWait()
    let ticket = mailbox.withLock { mailbox in
      mailbox.enter()
      return mailbox.accepted
    }
    runOnQueue(from: caller, for: call) {
      self.run(until: ticket)
      body()
    }
  }

  @usableFromInline package func runAccepted() {
    wait(for: "dispatchAndWait") {}
  }

  @usableFromInline package func step() {
    guard !isInside else { Misuse.steppingInsideItsOwnTree.stop() }
    var releases: DeferredReleases?
    onQueue { releases = drainOnQueue(atMost: 1) }
    releases?.release()
  }

  /// Comes to the queue, runs a body there, and leaves it; what was let go of meanwhile is released behind that.
  ///
  /// - Parameter call: The name of the call that waits.
  func runOnQueue(from caller: UnsafeRawPointer?, for call: StaticString, _ body: () -> Void) {
    var releases: DeferredReleases?
    #if DEBUG
      // The caller is one of those who attend.
      let stopWatching = watchWait(for: call, behind: 1)
    #endif
    if caller == nil {
      queue.sync { releases = runTreeWork(from: nil, body) }
    } else {
      onQueue(from: caller) { releases = runTreeWork(from: caller, body) }
    }
    #if DEBUG
      stopWatching?()
    #endif
    releases?.release()
  }

  /// Runs a body on the queue; stops the program if the tree in whose callback the caller is would be waited for there.
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

  #if DEBUG
    /// Says on standard error that a call waits for others who run the tree's work, if it does so for long.
    ///
    /// - Parameter count: The number of those who attend and do not keep the caller waiting.
    /// - Returns: The function that stops the watch; nil if nobody runs the tree's work.
    private func watchWait(for call: StaticString, behind count: Int) -> (@Sendable () -> Void)? {
      guard activeThreads > count, !(clock is any TimelessClock) else { return nil }
      return executor.schedule(after: .seconds(2), on: clock) { [phase] in
        let phase = phase.value.load(ordering: .relaxed)
        Platform.writeToStandardError(
          """
          Arbor: a call of `\(call)` has waited for two seconds for a tree of stores, in which \(phase.text). If that is merely \
          slow, it ends. If it waits for the thread of the call, directly or through other threads or queues, both wait forever. \
          Let callbacks of a store wait for nothing: dispatch an action instead, with the state that is needed in it.
          """
        )
      }
    }
  #endif
}

/// Which tree of stores waits for which other one, to tell a deadlock from a long wait.
///
/// Only waits that begin inside a tree's own callback are entered: no others can close a circle.
struct WaitTable: @unchecked Sendable {  // The pointers are only compared.
  private static let shared = Protected(WaitTable())

  /// From a waiting tree to the tree that it waits for. One thread runs a tree, so it waits for one other at most.
  private var waits: [UnsafeRawPointer: UnsafeRawPointer] = [:]

  /// Enters that a tree, in one of its callbacks, waits for another one. Stops the program if that closes a circle.
  static func begin(waiting: UnsafeRawPointer, for awaited: UnsafeRawPointer) {
    let closesCircle = shared.withLock { table in
      table.waits[waiting] = awaited
      return table.reaches(waiting, from: awaited)
    }
    guard !closesCircle else { Misuse.treesWaitOnEachOther.stop() }
  }

  /// Takes out that a tree waits. On the awaited tree's queue still: its next callback must not see a wait that is over.
  static func end(waiting: UnsafeRawPointer) {
    shared.withLock { table in
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

/// The part of a tree's work that runs at a moment; noted in debug builds, to be named where somebody waits for it.
@usableFromInline
enum StepPhase: UInt8, AtomicRepresentable, Sendable {
  case other
  case interceptors
  case reducers
  case effects
  case derivedValues
  case observers

  /// The part that runs in one tree. An object of its own, so that who watches a wait holds nothing of the tree.
  @usableFromInline
  final class Current: Sendable {
    @usableFromInline let value = Atomic(StepPhase.other)
  }

  var text: String {
    switch self {
    case .other: "work of the tree runs"
    case .interceptors: "an interceptor runs"
    case .reducers: "a reducer or the closure of a commit runs"
    case .effects: "the declaration of an effect runs"
    case .derivedValues: "the closure of a derived value runs"
    case .observers: "an observer runs"
    }
  }
}
