internal import Arbor

/// A clock on which all time passes at once: who sleeps is woken without waiting, and finds the clock at his time.
///
/// - To sleep suspends once, so that on a manual executor whoever sleeps goes on in a step of its own: a timer that is set again
///   and again lets others have their turn.
/// - It never goes back: it shows the latest time that anybody has slept for.
public final class ImmediateClock: Clock, Sendable {
  /// A time on the clock.
  public typealias Instant = TestClock.Instant

  private let time = Protected(Instant(offset: .zero))

  /// Makes a clock that shows zero.
  public init() {}

  /// The time that the clock shows.
  public var now: Instant { time.withLock { $0 } }

  /// The clock is exact.
  public var minimumResolution: Duration { .zero }

  /// Moves the clock to a time, unless the task was cancelled.
  ///
  /// - Throws: `CancellationError` if it was.
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
