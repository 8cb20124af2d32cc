/// Nanoseconds since a tree was made, or `none` where the time was not read.
///
/// An `Int64` instead of a `Duration`, which takes too long to compute for every action.
@usableFromInline
package struct TreeTime: Sendable {
  @inlinable package static var none: TreeTime { TreeTime(nanoseconds: .min) }

  @usableFromInline package let nanoseconds: Int64

  @inlinable
  package init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// The time after a duration since the tree was made. Durations of more than three centuries are clamped.
  @usableFromInline
  package init(_ duration: Duration) {
    nanoseconds = duration.clampedNanoseconds
  }

  package var duration: Duration { .nanoseconds(nanoseconds) }

  @inlinable
  package var isRead: Bool { nanoseconds != .min }

  /// Returns a function of the time since this call, on a clock.
  package static func stopwatch(on clock: any Clock<Duration>) -> @Sendable () -> TreeTime {
    // The existential is opened once, and not at each reading.
    func stopwatch<C: Clock>(on clock: C) -> @Sendable () -> TreeTime where C.Duration == Duration {
      let start = clock.now
      return { TreeTime(start.duration(to: clock.now)) }
    }
    guard clock is ContinuousClock else { return stopwatch(on: clock) }
    // The same clock, read as nanoseconds: reading it as a `Duration` takes ten times as long.
    let start = Platform.continuousTime
    return { TreeTime(nanoseconds: Platform.continuousTime - start) }
  }

  /// The nanoseconds since another time; none if either time was not read, or if the clock went backwards.
  @inlinable
  package func since(_ other: TreeTime) -> Int64 {
    // A time that was not read is before every other.
    guard nanoseconds > other.nanoseconds, other.isRead else { return 0 }
    let (difference, isTooLong) = nanoseconds.subtractingReportingOverflow(other.nanoseconds)
    return isTooLong ? .max : difference
  }
}

extension Duration {
  /// The whole nanoseconds, at most as many as in three centuries, forward or back.
  package var clampedNanoseconds: Int64 {
    // Longer durations may have more seconds than `components` can give.
    guard self < .nanoseconds(Int64.max) else { return .max }
    guard self > .nanoseconds(Int64.min) else { return .min }
    return components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
  }
}
