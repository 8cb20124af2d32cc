public import Dispatch

/// The component that decides when a tree's waiting work is run.
@usableFromInline
package protocol TreeExecutor: Sendable {
  /// Arranges one later call of the tree's `drain(atMost:)`, on the tree's queue, or of its `runOneEntry()`.
  ///
  /// - This method must not make that call itself, on the calling thread.
  func wake(_ tree: any Drainable, quality: DispatchQoS)

  /// Runs work that belongs to a queue later, such as a delivery to a subscriber on the subscriber's queue.
  func deliver(on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void)

  /// Runs short work that doesn't belong to a queue, after a duration on a clock.
  ///
  /// - Returns: A closure that cancels the work; it does nothing after the work has begun.
  @discardableResult
  func schedule(
    after duration: Duration,
    on clock: any Clock<Duration>,
    _ work: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void

  /// Makes the inspection of a tree that uses a clock; nil if the executor doesn't inspect trees.
  ///
  /// - Called once, when the tree is made.
  func inspection(clock: any Clock<Duration>) -> (any TreeInspection)?

  /// Starts a task of a store.
  ///
  /// - Detached: it must not inherit anything from the thread that happens to drain the tree.
  func startTask(priority: TaskPriority?, _ body: @escaping @Sendable () async -> Void) -> Task<Void, Never>

  /// Returns `true` if the calling thread may wait for the tree's queue; `false` if that thread is running the tree.
  func canWait(for tree: any Drainable) -> Bool

  /// Called between two parts of one call that another thread can separate. Tests let other threads run there.
  func mayInterrupt(_ tree: any Drainable)

  /// Called when a task is about to suspend until the tree has run everything it has accepted.
  func taskWaits(for tree: any Drainable)

  /// Called when a task is about to suspend until a condition holds that steps of this executor may fulfill.
  func taskWaits(until isDone: () -> Bool)
}

/// A tree as its executor sees it: accepted work that waits to be run.
@usableFromInline
package protocol Drainable: AnyObject, Sendable {
  /// The serial queue on which the work must run.
  var queue: DispatchQueue { get }

  /// The quality of service of the queue itself.
  var quality: DispatchQoS { get }

  /// The number of entries that wait.
  var waiting: Int { get }

  /// Runs everything accepted before the call, on the calling thread, which must not be running work of the same tree.
  func runAccepted()

  /// Runs the next entry, if any, on the calling thread, which must not be running work of the same tree.
  ///
  /// - Call it once for each wake, instead of ``drain(atMost:)``.
  func runOneEntry()

  /// Runs waiting entries in order, at most `limit` of them. Call it on the queue, once for each wake.
  func drain(atMost limit: Int)

  /// Makes the queue drain the tree later, at most ``QueueExecutor/batch`` entries.
  func drainLater(quality: DispatchQoS)
}

/// A manual executor's view of a tree.
@usableFromInline
package protocol TreeInspection: AnyObject, Sendable {
  /// Called when a thread outside the tree's callbacks is about to run the accepted work that it waits for.
  func willWait()

  /// Called before a node saves its first step because an interceptor holds the action. Called on the tree's queue.
  ///
  /// - Parameter list: Lists the actions of the saved steps, in order; nil after the node is gone. Called on the tree's
  ///   queue.
  func willSaveSteps(_ list: @escaping @Sendable () -> [any Sendable]?)
}

/// The executor in production: each wake is a block on the tree's own dispatch queue.
@usableFromInline
package struct QueueExecutor: TreeExecutor {
  /// The number of entries after which a thread leaves the tree's queue, so that waiting threads get their turn.
  package static let batch = 1024

  /// The longest delay, a century: clocks can't add arbitrarily long durations to the current time.
  static let longestDelay = Duration.seconds(100 * 365 * 86_400)

  @usableFromInline
  package init() {}

  @usableFromInline
  package func inspection(clock: any Clock<Duration>) -> (any TreeInspection)? { nil }

  @usableFromInline
  package func startTask(
    priority: TaskPriority?,
    _ body: @escaping @Sendable () async -> Void
  ) -> Task<Void, Never> {
    Task.detached(priority: priority, operation: body)
  }

  @usableFromInline
  package func canWait(for tree: any Drainable) -> Bool { true }

  @usableFromInline
  package func mayInterrupt(_ tree: any Drainable) {}

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
      // If the clock throws before the time is over, the work must still be done.
      try? await clock.sleep(for: min(duration, QueueExecutor.longestDelay))
      if !Task.isCancelled { work() }
    }
    return { timer.cancel() }
  }

  @usableFromInline
  package func wake(_ tree: any Drainable, quality: DispatchQoS) {
    tree.drainLater(quality: quality)
  }
}
