public import Dispatch

/// What decides when a tree's waiting work is run.
@usableFromInline
package protocol Executor: Sendable {
  /// Arranges for one later `drain(atMost:)` of the mailbox on its queue. Must not call it before returning.
  func wake(_ mailbox: any Drainable, quality: DispatchQoS)

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

  /// What it is to know of a tree, whose clock is given; nil if nothing. Asked once, when the tree is made.
  func inspection(clock: any Clock<Duration>) -> Inspection?

  /// Where tasks run that a store starts; nil for wherever the language runs them.
  var taskExecutor: (any TaskExecutor)? { get }

  /// `true` if a thread may wait for the mailbox's queue. Else that is being run by the very thread that would wait.
  func canWait(for mailbox: any Drainable) -> Bool

  /// Called before the observers of a tree's derived values are: a moment at which other threads may run.
  func willSettle(_ mailbox: any Drainable)

  /// A task is about to suspend until what the mailbox has accepted is done.
  func taskWaits(for mailbox: any Drainable)

  /// A task is about to suspend until something is done that steps of this executor may do.
  func taskWaits(until isDone: () -> Bool)
}
