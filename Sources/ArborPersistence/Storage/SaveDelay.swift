internal import Arbor

/// A rule for the time of a save: when no change has come for a while, and at the latest a while after the first one.
///
/// - One timer at a time. While it runs, at most two changes read the time: where there were more, the last one counts as
///   made at its end. So a save may come a quarter of the quiet time late, and a change costs nothing else.
/// - All times are in nanoseconds.
struct SaveDelay {
  /// The consequence of the end of a timer.
  enum Command: Hashable {
    case save

    /// Set a timer for so many nanoseconds.
    case wait(Int64)
  }

  /// The number of changes of a timer that are noted.
  static let mostNotes = 2

  private let quietTime: Int64
  private let longest: Int64

  /// The times of the first and of the last change that was not saved.
  private var unsaved: (first: Int64, last: Int64)?

  /// The time at which the timer was set; nil if there is none.
  private var timerBegin: Int64?

  init(quietTime: Duration, longest: Duration) {
    self.longest = TreeTime(max(longest, .zero)).nanoseconds
    self.quietTime = min(TreeTime(max(quietTime, .zero)).nanoseconds, self.longest)
  }

  /// Notes a change. Returns the time for which a timer is to be set; nil if one is set.
  mutating func change(at time: Int64) -> Int64? {
    unsaved = (unsaved?.first ?? time, time)
    return setTimer(for: slice, at: time)
  }

  /// Notes that a save has failed, which is tried again after a while.
  mutating func fail(at time: Int64) -> Int64? {
    let rest = max(longest, Self.leastRest)
    unsaved = (time.addingSaturated(rest - longest), time.addingSaturated(rest - quietTime))
    return setTimer(for: rest, at: time)
  }

  /// The least time between a save that has failed and the next one.
  private static let leastRest: Int64 = 5_000_000_000

  /// The longest time of a timer.
  private var slice: Int64 { max(quietTime / 4, 1) }

  private mutating func setTimer(for duration: Int64, at time: Int64) -> Int64? {
    guard timerBegin == nil else { return nil }
    timerBegin = time
    return duration
  }

  /// Notes the end of the timer. Returns nil if there is nothing to save any more.
  ///
  /// - Parameter notes: The number of changes that came while it ran, as far as they were noted.
  mutating func timerEnded(at time: Int64, notes: Int) -> Command? {
    let begin = timerBegin.take()
    guard var unsaved else { return nil }
    if notes >= Self.mostNotes { unsaved.last = time }
    self.unsaved = unsaved
    // The times are those since the store was made, but a delay may be any.
    let end = min(unsaved.last.addingSaturated(quietTime), unsaved.first.addingSaturated(longest))
    // On a clock that stands still, or goes back, that time may never come.
    guard time < end, begin.map({ $0 < time }) == true else { return .save }
    timerBegin = time
    return .wait(min(end.subtractingSaturated(time), slice))
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

  fileprivate func subtractingSaturated(_ other: Int64) -> Int64 {
    let (difference, isTooGreat) = subtractingReportingOverflow(other)
    return isTooGreat ? .max : difference
  }
}

/// The timer of the saves of a store, on the clock of its tree.
final class SaveTimer: Sendable {
  private let delay: Protected<SaveDelay>

  /// The number of changes that were noted since the timer was set. Raised on the tree's queue.
  private let notes = AtomicNumber(0)
  private let time: @Sendable () -> TreeTime
  private let wantSteps: @Sendable (Bool) -> Void
  private let schedule: @Sendable (Duration, @escaping @Sendable () -> Void) -> @Sendable () -> Void
  private let save: @Sendable () -> Void

  /// Cancels the timer that was set last.
  private let cancel = Protected<@Sendable () -> Void>({})

  /// - Parameters:
  ///   - needsEachStep: `true` if it must be told of each step, because somebody else is told by the same function.
  ///   - save: Called when it is time to save.
  init<State>(
    _ delay: SaveDelay,
    on root: FollowedRoot<State>,
    needsEachStep: Bool,
    _ save: @escaping @Sendable () -> Void
  ) {
    self.delay = Protected(delay)
    time = root.stopwatch()
    wantSteps = { isWanted in if !needsEachStep { root.wantSteps(isWanted) } }
    schedule = { duration, work in root.schedule(after: duration, work) }
    self.save = save
  }

  /// Notes a change that is to be saved. On the tree's queue.
  ///
  /// - Once enough of them are noted no more are wanted, until the timer has ended or a save has begun, which follow.
  func change() {
    let count = notes.load()
    guard count < SaveDelay.mostNotes else { return }
    if count == SaveDelay.mostNotes - 1 { wantSteps(false) }
    notes.add(1)
    // Read outside the lock: the clock may be the user's.
    let now = time().nanoseconds
    if let rest = delay.withLock({ $0.change(at: now) }) { wait(rest) }
  }

  /// Notes that a save has failed.
  func fail() {
    let now = time().nanoseconds
    if let rest = delay.withLock({ $0.fail(at: now) }) { wait(rest) }
  }

  /// Notes that a save takes the state with all changes so far. On the tree's queue.
  func begin() {
    notes.store(0)
    wantSteps(true)
    delay.withLock { $0.begin() }
  }

  deinit {
    cancel.withLock { $0 }()
  }

  private func wait(_ nanoseconds: Int64) {
    let cancel = schedule(.nanoseconds(nanoseconds)) { [weak self] in
      guard let self else { return }
      let (now, notes) = (time().nanoseconds, notes.exchange(0))
      wantSteps(true)
      switch delay.withLock({ $0.timerEnded(at: now, notes: notes) }) {
      case .save: save()
      case .wait(let rest): wait(rest)
      case nil: break
      }
    }
    self.cancel.withLock { $0 = cancel }
  }
}
