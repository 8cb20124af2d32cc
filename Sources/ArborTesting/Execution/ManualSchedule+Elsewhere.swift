internal import Arbor
internal import Dispatch

/// Waiting for tasks that have left the executor: for another actor, a callback, or real time.
extension ManualSchedule {
  /// How often something has come.
  var arrivals: UInt64 { plan.withLock { $0.arrivals.count } }

  /// The tasks of all trees that wait for what no step brings.
  var elsewhere: [TrackedTask] {
    plan.withLock { $0.inspections }.flatMap(\.tasks).filter(\.isElsewhere)
  }

  /// Suspends until something has come since a moment, or a time is over.
  ///
  /// - Returns: Whether something has come.
  func waitForArrival(since moment: UInt64, until deadline: ContinuousClock.Instant) async -> Bool {
    var stopTimer: (@Sendable () -> Void)?
    defer { stopTimer?() }
    return await withCheckedContinuation { continuation in
      let number = plan.withLock { $0.arrivals.add(continuation, since: moment) }
      guard let number else { return continuation.resume(returning: true) }
      stopTimer = QueueExecutor().schedule(after: ContinuousClock.now.duration(to: deadline), on: ContinuousClock()) {
        [weak self] in
        self?.plan.withLock { $0.arrivals.remove(number) }?.resume(returning: false)
      }
    }
  }

  /// Runs steps until a condition holds, and waits for tasks that are elsewhere meanwhile, for a time.
  ///
  /// - Parameter settle: Runs the steps.
  /// - Returns: The tasks that were still elsewhere when the time was over; none if the condition holds, or if nothing was left
  ///   to wait for.
  func run(
    until isDone: () -> Bool,
    tasks: () -> [TrackedTask],
    timeout: Duration,
    isolation: isolated (any Actor)? = #isolation,
    settle: () -> Void
  ) async -> [TrackedTask] {
    let deadline = ContinuousClock.now.advanced(by: timeout)
    while true {
      let moment = arrivals
      settle()
      guard !isDone() else { return [] }
      let tasks = tasks()
      guard !tasks.isEmpty else { return [] }
      guard await waitForArrival(since: moment, until: deadline) else { return tasks }
    }
  }
}
