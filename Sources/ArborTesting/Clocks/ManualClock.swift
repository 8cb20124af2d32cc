/// A clock whose time passes in steps of a manual executor.
protocol ManualClock: Clock<Duration> {
  /// Calls a closure after a duration.
  ///
  /// - Parameters:
  ///   - ring: Called at that time. It may only record the work to run.
  ///   - run: Runs the recorded work, before time passes further.
  /// - Returns: A closure that cancels the call.
  func schedule(
    after duration: Duration,
    _ ring: @escaping @Sendable () -> Void,
    run: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void
}
