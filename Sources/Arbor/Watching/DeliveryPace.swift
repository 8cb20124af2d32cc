/// The pace at which the latest state is delivered.
enum DeliveryPace: Sendable {
  /// One delivery for all changes that wait for it.
  case unlimited

  /// At most one delivery per interval.
  case atMostEvery(Duration)

  /// One delivery for changes in quick succession, after this duration without a change.
  case debounce(Duration)

  /// The minimum time between two deliveries; nil if there is none.
  var minimumInterval: Duration? {
    if case .atMostEvery(let interval) = self, interval > .zero { interval } else { nil }
  }

  /// The time without a change before a delivery; nil if there is none.
  var quietTime: Duration? {
    if case .debounce(let interval) = self, interval > .zero { interval } else { nil }
  }
}

/// A limit on deliveries of the latest state: one for any number of changes, and at most one per interval.
struct RateLimit: Sendable {
  /// `true` if there is an interval between deliveries.
  let isTimed: Bool

  /// `true` while a delivery is pending.
  private(set) var isPending = false

  /// `true` during the interval after a delivery.
  private var isResting = false

  /// `true` if the state changed during the interval.
  private var hasMissed = false

  init(isTimed: Bool) {
    self.isTimed = isTimed
  }

  /// The consequence of a change: a delivery now, or one at the end of the interval.
  enum Command {
    case send
    case wait
  }

  /// Records a change to the state.
  ///
  /// - Returns: Nil if a pending or waiting delivery delivers the change.
  mutating func change() -> Command? {
    guard !isPending, !hasMissed else { return nil }
    guard !isResting else {
      hasMissed = true
      return .wait
    }
    isPending = true
    return .send
  }

  /// Records that the delivery has arrived.
  ///
  /// - Returns: `true` if there is a change to deliver; `false` if another delivery came first.
  mutating func arrive() -> Bool {
    guard isPending else { return false }
    isPending = false
    isResting = isTimed
    return true
  }

  /// Records the end of the interval.
  ///
  /// - Returns: `true` if a delivery must be sent.
  mutating func intervalEnded() -> Bool {
    isResting = false
    guard hasMissed else { return false }
    hasMissed = false
    isPending = true
    return true
  }
}

/// A rule for changes in quick succession: the first one is delivered at once, the others after none has come for a
/// while.
///
/// - There is only one timer at a time, no matter how many changes there are: each change only records its time.
package struct Debounce: Sendable {
  package enum Command: Hashable, Sendable {
    /// Deliver the latest state.
    case deliver

    /// Call ``timeEnded(at:)`` after this duration.
    case wait(Duration)
  }

  private let interval: Duration

  /// `true` until the first change, if the first change is delivered at once.
  private var passesNext: Bool

  private var lastChange = Duration.zero

  /// `true` if there is a change that no delivery has read.
  private var isOutstanding = false

  private var isTimerSet = false

  /// `true` if a change came after the timer was set.
  private var hasChangedMeanwhile = false

  package init(for interval: Duration, passesFirst: Bool) {
    self.interval = interval
    passesNext = passesFirst
  }

  /// Records a change to the state at a time.
  package mutating func change(at time: Duration) -> Command? {
    guard !passesNext else {
      passesNext = false
      return .deliver
    }
    lastChange = time
    isOutstanding = true
    hasChangedMeanwhile = isTimerSet
    return isTimerSet ? nil : setTimer(for: interval)
  }

  /// Records that a delivery has read the state.
  package mutating func arrive() {
    isOutstanding = false
  }

  /// Records the end of the time that it waited for.
  package mutating func timeEnded(at time: Duration) -> Command? {
    isTimerSet = false
    guard isOutstanding else { return nil }
    let rest = lastChange + interval - time
    return hasChangedMeanwhile && rest > .zero ? setTimer(for: rest) : .deliver
  }

  private mutating func setTimer(for duration: Duration) -> Command {
    isTimerSet = true
    hasChangedMeanwhile = false
    return .wait(duration)
  }
}

extension Clock<Duration> {
  /// Returns a function that returns the time since this call.
  func stopwatch() -> @Sendable () -> Duration {
    let start = now
    return { start.duration(to: now) }
  }
}
