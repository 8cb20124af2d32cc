public import Dispatch

/// The queue of a tree's accepted work, and what runs it: one entry after the other, in the order they were accepted.
///
/// - From any thread: a lock is held for the append alone, and user code never runs under it.
/// - Only the append that finds the mailbox idle wakes the executor, so that a flood pays for one wake, not for one an
///   action.
/// - Whoever waits runs what was accepted before, on its own thread and the tree's queue.
@usableFromInline
package final class Mailbox: Drainable, @unchecked Sendable {  // What the lock does not guard is the queue's alone.
  @usableFromInline package let queue: DispatchQueue
  @usableFromInline package let quality: DispatchQoS
  private let executor: any Executor
  private let inbox: Protected<Inbox>

  /// Entries out of the inbox, taken all at once when those before them are through.
  @exclusivity(unchecked)
  private var current = EntryQueue()

  /// How many entries were begun.
  @exclusivity(unchecked)
  private var begun: UInt64 = 0

  /// The innermost tree whose work a thread runs. Shared by all trees; kept here to be found at once.
  private let runningHere = Platform.ThreadLocal.shared

  /// The tree in one of whose callbacks, on the same thread, this one is being run.
  private var outer: UnsafeRawPointer?

  /// Whether reducers run at this moment.
  @usableFromInline
  @exclusivity(unchecked)
  var isReducing = false

  @usableFromInline
  package init(quality: DispatchQoS, executor: any Executor) {
    let quality = Quality(quality)
    self.quality = quality.service
    self.executor = executor
    queue = DispatchQueue(label: "Arbor", qos: quality.service, autoreleaseFrequency: .workItem)
    inbox = Protected(Inbox(quality: quality))
  }

  // MARK: Accepting

  /// The door's resident, if the door is open.
  @usableFromInline
  func resident(of door: Door) -> AnyObject? {
    inbox.withLock { _ in door.resident }
  }

  /// Adds an entry at the end, unless the door is closed.
  ///
  /// - Parameter write: Initializes the handler's payload. Called under the lock: it only copies.
  /// - Returns: Whether the entry was accepted.
  @usableFromInline
  func append(at door: Door, _ handler: Unmanaged<Handler>, write: (UnsafeMutableRawPointer) -> Void) -> Bool {
    let acceptance = inbox.withLock { inbox in
      guard door.resident != nil else { return Inbox.Acceptance.refused }
      return inbox.accept(handler, quality: door.quality, write: write)
    }
    return settle(acceptance)
  }

  /// Adds work with the door's resident at the end, unless the door is closed.
  ///
  /// - Returns: Whether the work was accepted.
  @usableFromInline
  func append(at door: Door, _ work: @escaping @Sendable (AnyObject) -> Void) -> Bool {
    let acceptance = inbox.withLock { inbox in
      guard let resident = door.resident else { return Inbox.Acceptance.refused }
      return inbox.accept(Errand(node: resident, work: work), quality: door.quality)
    }
    return settle(acceptance)
  }

  /// Adds work as above, for a task that is about to suspend until it is done.
  ///
  /// - Returns: Whether the work was accepted.
  @usableFromInline
  func appendAwaited(at door: Door, _ work: @escaping @Sendable (AnyObject) -> Void) -> Bool {
    guard append(at: door, work) else { return false }
    executor.taskWaits(for: self)
    return true
  }

  /// Changes the links between nodes and observers, unless the door is closed: now if the mailbox is idle, else behind
  /// what waits.
  ///
  /// - Parameters:
  ///   - change: Called under the lock or on the queue: it must neither call user code nor release anything of a user.
  ///   - afterwards: Called once the change was made and the lock is free.
  @usableFromInline
  func rearrange(
    at door: Door,
    _ change: @escaping @Sendable (AnyObject) -> Void,
    afterwards: @escaping @Sendable () -> Void = {}
  ) {
    var isDone = false
    let acceptance = inbox.withLock { inbox in
      guard let resident = door.resident else { return Inbox.Acceptance.refused }
      guard !inbox.isIdle else {
        change(resident)
        isDone = true
        return .accepted
      }
      let errand = Errand(node: resident) { resident in
        change(resident)
        afterwards()
      }
      return inbox.accept(errand, quality: door.quality)
    }
    if isDone { afterwards() }
    _ = settle(acceptance)
  }

  /// Closes a door for good and lets its resident go: now if the mailbox is idle, else behind what waits.
  ///
  /// - Parameter detach: Cuts the resident's links to others, as a change in ``rearrange(at:_:afterwards:)``.
  func close(_ door: Door, detach: @escaping @Sendable (AnyObject) -> Void) {
    var leaving: AnyObject?
    let acceptance = inbox.withLock { inbox in
      leaving = door.resident
      guard let resident = leaving else { return Inbox.Acceptance.refused }
      door.close()
      guard !inbox.isIdle else {
        detach(resident)
        return .accepted
      }
      return inbox.accept(Errand(node: resident, work: detach), quality: door.quality)
    }
    _ = settle(acceptance)
    // Freed here, outside the lock, if nothing else holds it.
    leaving = nil
  }

  private func settle(_ acceptance: Inbox.Acceptance) -> Bool {
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

  // MARK: Waiting

  /// Runs a body on the queue, behind everything accepted before the call; at once if called inside a callback.
  ///
  /// - Returns: Whether the door was still open; the body is not called if not.
  @usableFromInline
  func wait(at door: Door, _ body: (AnyObject) -> Void) -> Bool {
    let caller = runningHere.value
    guard !isInside(from: caller) else {
      guard !isReducing else { Misuse.readingStateInsideReducer.stop() }
      guard let resident = resident(of: door) else { return false }
      body(resident)
      return true
    }
    // Retained: a door that is closed now is closed behind the one who attends, but who comes to the queue before him may
    // run that already.
    var resident: AnyObject?
    var ticket: UInt64 = 0
    inbox.withLock { inbox in
      resident = door.resident
      guard resident != nil else { return }
      ticket = inbox.accepted
      inbox.attend()
    }
    guard let resident else { return false }
    attend(from: caller) {
      self.run(until: ticket)
      body(resident)
    }
    return true
  }

  /// Adds an entry at the end, unless the door is closed, and returns once it was run.
  ///
  /// - Parameter write: As in ``append(at:_:write:)``; called on the queue and not under the lock if nothing waits.
  /// - Returns: Whether the entry was accepted.
  @usableFromInline
  func appendAndWait(
    at door: Door,
    _ handler: Unmanaged<Handler>,
    write: (UnsafeMutableRawPointer) -> Void
  ) -> Bool {
    let caller = runningHere.value
    guard !isInside(from: caller) else { Misuse.waitingInsideItsOwnTree.stop() }
    // Retained, as in `wait`: it keeps the handler alive.
    var resident: AnyObject?
    var ticket: UInt64?
    inbox.withLock { inbox in
      resident = door.resident
      guard resident != nil else { return }
      if !inbox.isIdle {
        inbox.acceptAttended(handler, write: write)
        ticket = inbox.accepted
      }
      inbox.attend()
    }
    guard let resident else { return false }
    attend(from: caller) {
      if let ticket {
        self.run(until: ticket)
      } else {
        handler._withUnsafeGuaranteedRef { $0.run(writing: write) }
      }
    }
    return withExtendedLifetime(resident) { true }
  }

  @usableFromInline package func catchUp() {
    let ticket = inbox.withLock { inbox in
      inbox.attend()
      return inbox.accepted
    }
    attend(from: runningHere.value) { self.run(until: ticket) }
  }

  /// Whether the calling thread runs this tree's work at the moment.
  var isInside: Bool {
    isInside(from: runningHere.value)
  }

  /// Whether a thread that runs a tree's work, or that of several, runs this one's.
  private func isInside(from caller: UnsafeRawPointer?) -> Bool {
    var tree = caller
    while let running = tree {
      if running == address { return true }
      tree = Unmanaged<Mailbox>.fromOpaque(running)._withUnsafeGuaranteedRef { $0.outer }
    }
    return false
  }

  private var address: UnsafeRawPointer {
    UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
  }

  private func attend(from caller: UnsafeRawPointer?, _ body: () -> Void) {
    guard let caller else {
      return queue.sync { attendOnQueue(from: nil, body) }
    }
    WaitTable.begin(waiting: caller, for: address)
    queue.sync {
      attendOnQueue(from: caller, body)
      WaitTable.end(waiting: caller)
    }
  }

  // MARK: Draining

  @usableFromInline package func drain(atMost limit: Int) {
    inbox.withLock { inbox in inbox.answerWake() }
    attendOnQueue(from: runningHere.value) {
      var count = 0
      while count < limit, runNext() { count += 1 }
    }
  }

  @usableFromInline package var waiting: Int {
    func count() -> Int { Int(inbox.withLock { $0.accepted } - begun) }
    return isInside ? count() : queue.sync { count() }
  }

  /// The number of chunks of memory that hold or await entries.
  package var chunkCount: Int {
    queue.sync { current.chunkCount + inbox.withLock { $0.entries.chunkCount } }
  }

  private func attendOnQueue(from caller: UnsafeRawPointer?, _ body: () -> Void) {
    outer = caller
    runningHere.set(address)
    body()
    runningHere.set(caller)
    outer = nil
    let wake = inbox.withLock { inbox in inbox.leave(hasBacklog: !current.isEmpty) }
    if let wake { executor.wake(self, quality: wake.service) }
  }

  private func run(until ticket: UInt64) {
    while begun < ticket, runNext() {}
  }

  private func runNext() -> Bool {
    guard let entry = next() else { return false }
    entry.handler._withUnsafeGuaranteedRef { $0.run(entry.payload) }
    return true
  }

  private func next() -> EntryQueue.Entry? {
    var entry = current.next()
    if entry == nil {
      inbox.withLock { inbox in swap(&inbox.entries, &current) }
      entry = current.next()
    }
    if entry != nil { begun += 1 }
    return entry
  }
}
