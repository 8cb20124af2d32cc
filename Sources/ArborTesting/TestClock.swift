internal import Arbor

/// A clock that stands still until a test moves it.
///
/// - Whoever sleeps on it is woken when the time has come; in the order of the times, and those of one time in the order in
///   which they began to sleep. Move it from one thread at a time.
/// - On a manual executor what a timer does is one of the executor's steps: move the clock, then step.
public final class TestClock: Clock, Sendable {
  /// A time on the clock.
  public struct Instant: InstantProtocol {
    /// How much time has passed since the clock was made.
    public let offset: Duration

    /// The time so much later.
    public func advanced(by duration: Duration) -> Instant {
      Instant(offset: offset + duration)
    }

    /// How much later another time is.
    public func duration(to other: Instant) -> Duration {
      other.offset - offset
    }

    /// Whether a time is before another one.
    public static func < (left: Instant, right: Instant) -> Bool {
      left.offset < right.offset
    }
  }

  private struct Alarm: Sendable {
    let number: Int
    let time: Instant
    let ring: @Sendable () -> Void
  }

  private struct Face: Sendable {
    var now = Instant(offset: .zero)
    var alarms: [Alarm] = []
    var count = 0

    mutating func add(at time: Instant, _ ring: @escaping @Sendable () -> Void) -> Int {
      count += 1
      alarms.append(Alarm(number: count, time: time, ring: ring))
      return count
    }

    /// Moves to the next alarm that is due until a time, and takes it out.
    mutating func next(until end: Instant) -> Alarm? {
      let due = alarms.min { ($0.time, $0.number) < ($1.time, $1.number) }
      guard let due, due.time <= end else {
        now = max(now, end)
        return nil
      }
      alarms.removeAll { $0.number == due.number }
      now = max(now, due.time)
      return due
    }
  }

  private let face = Protected(Face())

  /// Makes a clock that shows zero.
  public init() {}

  /// The time that the clock shows.
  public var now: Instant { face.withLock { $0.now } }

  /// The clock is exact.
  public var minimumResolution: Duration { .zero }

  /// The number of those who sleep and of timers that run.
  public var sleepers: Int { face.withLock { $0.alarms.count } }

  /// Moves the clock and wakes who has slept long enough, one after the other.
  public func advance(by duration: Duration) {
    let end = now.advanced(by: duration)
    while let alarm = face.withLock({ $0.next(until: end) }) { alarm.ring() }
  }

  /// Sleeps until the clock shows a time, or the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    let sleeper = Sleeper()
    let number = face.withLock { face in
      deadline <= face.now ? nil : face.add(at: deadline) { sleeper.wake() }
    }
    guard let number else { return }
    await withTaskCancellationHandler {
      await sleeper.sleep()
    } onCancel: {
      takeOut(number)?.ring()
    }
    try Task.checkCancellation()
  }

  /// Calls a closure when so much time has passed, on the thread that moves the clock.
  ///
  /// - Returns: What stops it.
  func schedule(after duration: Duration, _ ring: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    let number = face.withLock { face in
      duration > .zero ? face.add(at: face.now.advanced(by: duration), ring) : nil
    }
    if number == nil { ring() }
    return { if let number { _ = self.takeOut(number) } }
  }

  private func takeOut(_ number: Int) -> Alarm? {
    face.withLock { face in
      face.alarms.firstIndex { $0.number == number }.map { face.alarms.remove(at: $0) }
    }
  }
}
