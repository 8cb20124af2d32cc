internal import Arbor
internal import Dispatch

/// Waiting for tasks that have left the executor: for another actor, a callback, or real time.
extension ManualSchedule {
  /// The number of turns that the schedule has received so far.
  var arrivals: UInt64 { plan.withLock { $0.count } }

  /// The tasks of all trees that have not ended.
  var tasks: [InspectedTask] { plan.withLock { $0.inspections }.compactMap { $0() }.flatMap(\.tasks) }

  /// The tasks that wait for something that no step can bring.
  var elsewhere: [InspectedTask] { tasks.filter(\.isElsewhere) }

  /// Reports on standard error that a call waits in vain, if nothing has arrived for some time.
  func watchWait() {
    let moment = arrivals
    _ = QueueExecutor().schedule(after: ManualSchedule.patience, on: ContinuousClock()) { [weak self] in
      guard let self, !isClosed, arrivals == moment, !tasks.isEmpty else { return }
      let tasks = tasks.map(\.textWithPlace).joined(separator: "; ")
      Platform.writeToStandardError(
        """
        Arbor: a call (`perform`, or the `value` of a task) has waited for \(ManualSchedule.patience), and no step of its \
        manual executor can end the wait. Not ended: \(tasks). To fix this, advance the clock before the call.
        """
      )
    }
  }

  private static var patience: Duration { .seconds(5) }

  /// Suspends until a turn has arrived after a moment, or until a deadline.
  ///
  /// - Returns: `true` if a turn has arrived; `false` if the deadline has passed.
  func waitForArrival(since moment: UInt64, until deadline: ContinuousClock.Instant) async -> Bool {
    var stopTimer: (@Sendable () -> Void)?
    defer { stopTimer?() }
    return await withCheckedContinuation { continuation in
      let number = plan.withLock { plan -> UInt64? in
        guard plan.count == moment else { return nil }
        plan.lastWaiter += 1
        plan.waiters[plan.lastWaiter] = continuation
        return plan.lastWaiter
      }
      guard let number else { return continuation.resume(returning: true) }
      stopTimer = QueueExecutor().schedule(after: ContinuousClock.now.duration(to: deadline), on: ContinuousClock()) {
        [weak self] in
        self?.plan.withLock { $0.waiters.removeValue(forKey: number) }?.resume(returning: false)
      }
    }
  }

  /// Runs steps until a condition holds, and waits for a limited time for tasks that are elsewhere.
  ///
  /// - Parameter settle: Runs the steps.
  /// - Returns: The tasks that were still elsewhere after the timeout; none if the condition holds, or if nothing was
  ///   left to wait for.
  func run(
    until isDone: () -> Bool,
    tasks: () -> [InspectedTask],
    timeout: Duration,
    isolation: isolated (any Actor)? = #isolation,
    settle: () -> Void
  ) async -> [InspectedTask] {
    let deadline = ContinuousClock.now.advanced(by: timeout)
    while true {
      let moment = arrivals
      settle()
      guard !isDone() else { return [] }
      guard !tasks().isEmpty else { return [] }
      guard await waitForArrival(since: moment, until: deadline) else { return tasks() }
    }
  }
}
