internal import Arbor
internal import Dispatch

/// Runs the work of stores one step at a time, when a test says so.
///
/// ```swift
/// let executor = ManualExecutor()
/// let factory = StoreFactory(initialState: 0, executor: executor) { (state: inout Int, action: Int) in state += action }
/// factory.rootStore().dispatch(1)
/// executor.pending  // 1
/// executor.run()
/// factory.state     // 1
/// ```
///
/// - The engine is the one that ships: the same order, the same laws, no other thread.
/// - Any number of trees may share one executor; they take turns in the order in which they had work.
/// - Waiting calls (`state`, `dispatchAndWait`) run the steps before them on the calling thread.
/// - What still waits when the executor is released is thrown away.
public final class ManualExecutor: Sendable {
  package let schedule = ManualSchedule()

  /// Makes an executor with nothing to do.
  public init() {}

  /// The number of steps that wait: actions, batches, and what subscribes, unsubscribes and releases.
  public var pending: Int {
    schedule.mailboxes.reduce(0) { count, mailbox in count + mailbox.waiting }
  }

  /// Runs the next step, if any, on the calling thread.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  public func step() -> Bool {
    while let mailbox = schedule.next() {
      let isWaiting = mailbox.waiting > 0
      mailbox.queue.sync { mailbox.drain(atMost: 1) }
      if isWaiting { return true }
    }
    return false
  }

  /// Runs steps, those that come of them too, until none waits.
  public func run() {
    while step() {}
  }

  deinit {
    schedule.close()
  }
}
