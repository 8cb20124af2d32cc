internal import Arbor

/// A clock on which time passes immediately: a task that sleeps wakes without waiting, at the time it was sleeping for.
///
/// - Sleeping suspends once, so that a task on a manual executor resumes in a separate step. A timer that is set
///   repeatedly lets other work have its turn.
/// - It never goes back: it shows the latest time that any task has slept until.
/// - Pass it to a test store whose delays don't matter:
///   `TestStore(initialState: Search(), effects: searchEffects, clock: ImmediateClock(), reducer: searchReducer)`.
public final class ImmediateClock: Clock, Sendable {
  /// A time on the clock.
  public typealias Instant = TestClock.Instant

  private let time = Protected(Instant(offset: .zero))

  /// Makes a clock that starts at zero.
  public init() {}

  /// The current time of the clock.
  public var now: Instant { time.withLock { $0 } }

  /// The resolution of the clock, which is exact.
  public var minimumResolution: Duration { .zero }

  /// Moves the clock to a time, unless the task was canceled.
  ///
  /// - Throws: `CancellationError` if the task was canceled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    pass(to: deadline)
    await Task.yield()
    try Task.checkCancellation()
  }

  private func pass(to deadline: Instant) {
    time.withLock { $0 = max($0, deadline) }
  }
}

extension ImmediateClock: ManualClock {
  func schedule(
    after duration: Duration,
    _ ring: @escaping @Sendable () -> Void,
    run: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void {
    pass(to: now.advanced(by: duration))
    ring()
    return {}
  }
}
