public import Dispatch

/// Decides when a tree's waiting work is run.
@usableFromInline
package protocol TreeExecutor: Sendable {
  /// Arranges for one later `drain(atMost:)` of the mailbox on its queue. Must not call it before returning.
  func wake(_ tree: any Drainable, quality: DispatchQoS)

  /// Runs work that a subscriber is waiting for, on its queue.
  func deliver(on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void)

  /// Runs short work that belongs to no queue, after a time on a clock.
  ///
  /// - Returns: What stops it; harmless once it runs.
  @discardableResult
  func schedule(
    after duration: Duration,
    on clock: any Clock<Duration>,
    _ work: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void

  /// Makes the inspection of a tree, whose clock is given; nil if nobody looks. Asked once, when the tree is made.
  func inspection(clock: any Clock<Duration>) -> (any TreeInspection)?

  /// Where tasks run that a store starts; nil for wherever the language runs them.
  var taskExecutor: (any TaskExecutor)? { get }

  /// `true` if a thread may wait for the mailbox's queue. Else that is being run by the very thread that would wait.
  func canWait(for tree: any Drainable) -> Bool

  /// Called before the observers of a tree's derived values are: a moment at which other threads may run.
  func willNotifyDerivedValues(_ tree: any Drainable)

  /// A task is about to suspend until what the mailbox has accepted is done.
  func taskWaits(for tree: any Drainable)

  /// A task is about to suspend until something is done that steps of this executor may do.
  func taskWaits(until isDone: () -> Bool)
}

/// Accepted work that waits for an executor to run it.
@usableFromInline
package protocol Drainable: AnyObject, Sendable {
  /// The serial queue on which it must be drained.
  var queue: DispatchQueue { get }

  /// The quality of service that the queue has anyway.
  var quality: DispatchQoS { get }

  /// The number of entries that wait.
  var waiting: Int { get }

  /// Runs what was accepted before the call, on the calling thread, which must not be running work of the same tree.
  func runAccepted()

  /// Runs the next entry, if any, on the calling thread, which must not be running work of the same tree; once for each
  /// wake.
  func step()

  /// Runs what waits, in order, but no more than so many entries. On the queue; once for each wake.
  func drain(atMost limit: Int)
}

/// A clock on which all time passes at once: nothing that is measured by it lasts.
package protocol TimelessClock: Clock {}

/// Looks at a tree for who runs it by hand.
@usableFromInline
package protocol TreeInspection: AnyObject, Sendable {
  /// A thread, which is in none of the tree's callbacks, is about to run what was accepted because it waits for it.
  func willWait()
}

/// An entry of a mailbox, as it is seen by who looks at it before it is run.
@usableFromInline
package struct WaitingEntry: Sendable {
  /// The kind of work of an entry.
  @usableFromInline
  package enum Kind: Sendable {
    case actions
    case subscription
    case release
    case activity
    case event
    case other
  }

  package let kind: Kind

  /// The actions of the step; none if it is none, or if they were revoked.
  package let actions: [any Sendable]

  /// The store to which they were sent, for monitors; nil if there are none.
  package let store: MonitoredStore?

  /// `true` if a task waits for it.
  package let isAwaited: Bool

  @usableFromInline
  init(_ kind: Kind, _ actions: [any Sendable] = [], of store: MonitoredStore? = nil, isAwaited: Bool = false) {
    self.kind = kind
    self.actions = actions
    self.isAwaited = isAwaited
    self.store = store
  }

  /// `true` if it is a step of actions.
  package var isStep: Bool { !actions.isEmpty }
}

/// The executor of production: each wake is a block on the tree's own dispatch queue.
@usableFromInline
package struct QueueExecutor: TreeExecutor {
  /// After so many entries the thread is let go, so that whoever waits for the queue gets his turn.
  static let batch = 1024

  /// A century: clocks cannot add any duration to the time of day.
  static let longestDelay = Duration.seconds(100 * 365 * 86_400)

  @usableFromInline
  package init() {}

  @usableFromInline
  package func inspection(clock: any Clock<Duration>) -> (any TreeInspection)? { nil }

  @usableFromInline package var taskExecutor: (any TaskExecutor)? { nil }

  @usableFromInline
  package func canWait(for tree: any Drainable) -> Bool { true }

  @usableFromInline
  package func willNotifyDerivedValues(_ tree: any Drainable) {}

  @usableFromInline
  package func taskWaits(for tree: any Drainable) {}

  @usableFromInline
  package func taskWaits(until isDone: () -> Bool) {}

  @usableFromInline
  package func deliver(on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void) {
    queue.async(execute: work)
  }

  @usableFromInline
  package func schedule(
    after duration: Duration,
    on clock: any Clock<Duration>,
    _ work: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void {
    let timer = Task.detached {
      // A clock that gives up early must not lose what waits for it.
      try? await clock.sleep(for: min(duration, QueueExecutor.longestDelay))
      if !Task.isCancelled { work() }
    }
    return { timer.cancel() }
  }

  @usableFromInline
  package func wake(_ tree: any Drainable, quality: DispatchQoS) {
    let drain: @Sendable @convention(block) () -> Void = { tree.drain(atMost: QueueExecutor.batch) }
    if quality == tree.quality {
      tree.queue.async(execute: drain)
    } else {
      tree.queue.async(qos: quality, flags: .enforceQoS, execute: drain)
    }
  }
}
