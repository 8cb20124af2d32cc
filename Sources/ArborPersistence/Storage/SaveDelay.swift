internal import Arbor

/// A rule for the time of a save: when no change has come for a while, and at the latest a while after the first one.
///
/// - One timer at a time, however many changes there are: each only notes its time. All times are in nanoseconds.
struct SaveDelay {
  /// The consequence of the end of a timer.
  enum Command: Hashable {
    case save

    /// Set a timer for so many nanoseconds.
    case wait(Int64)
  }

  private let quietTime: Int64
  private let longest: Int64

  /// The times of the first and of the last change that was not saved.
  private var unsaved: (first: Int64, last: Int64)?
  private var isTimerSet = false

  init(quietTime: Duration, longest: Duration) {
    self.longest = TreeTime(max(longest, .zero)).nanoseconds
    self.quietTime = min(TreeTime(max(quietTime, .zero)).nanoseconds, self.longest)
  }

  /// `true` if there is a change that was not saved.
  var hasChanges: Bool { unsaved != nil }

  /// Notes a change. Returns the time for which a timer is to be set; nil if one is set.
  mutating func change(at time: Int64) -> Int64? {
    unsaved = (unsaved?.first ?? time, time)
    guard !isTimerSet else { return nil }
    isTimerSet = true
    return quietTime
  }

  /// Notes that a save has failed, which is tried again after the longest time.
  mutating func fail(at time: Int64) -> Int64? {
    unsaved = (time, time.addingSaturated(longest - quietTime))
    guard !isTimerSet else { return nil }
    isTimerSet = true
    return longest
  }

  /// Notes the end of the timer. Returns nil if there is nothing to save any more.
  mutating func timerEnded(at time: Int64) -> Command? {
    isTimerSet = false
    guard let unsaved else { return nil }
    // The times are those since the store was made, but a delay may be any.
    let end = min(unsaved.last.addingSaturated(quietTime), unsaved.first.addingSaturated(longest))
    guard time < end else { return .save }
    isTimerSet = true
    return .wait(end - time)
  }

  /// Notes that a save has taken the state with all changes so far.
  mutating func begin() {
    unsaved = nil
  }
}

extension Int64 {
  fileprivate func addingSaturated(_ other: Int64) -> Int64 {
    let (sum, isTooGreat) = addingReportingOverflow(other)
    return isTooGreat ? .max : sum
  }
}
