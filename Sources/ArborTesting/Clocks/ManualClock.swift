/// A clock whose time passes in steps of a manual executor.
protocol ManualClock: Clock<Duration> {
  /// Calls a closure when so much time has passed.
  ///
  /// - Parameters:
  ///   - ring: Called then; may only note what is to run.
  ///   - run: Runs what was noted, before time goes on.
  /// - Returns: A closure that stops it.
  func schedule(
    after duration: Duration,
    _ ring: @escaping @Sendable () -> Void,
    run: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void
}
