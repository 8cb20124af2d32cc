/// A rule for the time of a save: when no change has come for a while, and at the latest a while after the first one.
///
/// - One timer at a time, however many changes there are: each only notes its time.
struct SaveDelay {
  /// The consequence of the end of a timer.
  enum Command: Hashable {
    case save

    /// Set a timer for this time.
    case wait(Duration)
  }

  private let quietTime: Duration
  private let longest: Duration

  /// The times of the first and of the last change that was not saved.
  private var unsaved: (first: Duration, last: Duration)?
  private var isTimerSet = false

  init(quietTime: Duration, longest: Duration) {
    self.quietTime = min(quietTime, longest)
    self.longest = longest
  }

  /// `true` if there is a change that was not saved.
  var hasChanges: Bool { unsaved != nil }

  /// Notes a change. Returns the time for which a timer is to be set; nil if one is set.
  mutating func change(at time: Duration) -> Duration? {
    unsaved = (unsaved?.first ?? time, time)
    guard !isTimerSet else { return nil }
    isTimerSet = true
    return quietTime
  }

  /// Notes that a save has failed, which is tried again after the longest time.
  mutating func fail(at time: Duration) -> Duration? {
    unsaved = (time, time + longest - quietTime)
    guard !isTimerSet else { return nil }
    isTimerSet = true
    return longest
  }

  /// Notes the end of the timer. Returns nil if there is nothing to save any more.
  mutating func timerEnded(at time: Duration) -> Command? {
    isTimerSet = false
    guard let unsaved else { return nil }
    let end = min(unsaved.last + quietTime, unsaved.first + longest)
    guard time < end else { return .save }
    isTimerSet = true
    return .wait(end - time)
  }

  /// Notes that a save has taken the state with all changes so far.
  mutating func begin() {
    unsaved = nil
  }
}
