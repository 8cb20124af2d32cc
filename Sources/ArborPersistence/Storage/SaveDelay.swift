internal import Arbor

/// A rule for the time of a save: after a while without changes, and at the latest a while after the first change.
///
/// - There is one timer at a time. While it runs, at most two changes read the clock. If there are more, the last one
///   counts as made when the timer ends. So a save may be late by a quarter of the quiet time, but the other changes
///   cost nothing.
/// - All times are in nanoseconds.
/// - All times are in nanoseconds.
struct SaveDelay {
  /// The next operation after the end of a timer.
  enum Command: Hashable {
    case save

    /// Set a timer for a number of nanoseconds.
    case wait(Int64)
  }

  /// The greatest number of changes that are counted during a timer.
  static let mostNotes = 2

  private let quietTime: Int64
  private let longest: Int64

  /// The times of the first and the last unsaved change.
  private var unsaved: (first: Int64, last: Int64)?

  /// The time at which the timer was set; nil if no timer is running.
  private var timerBegin: Int64?

  init(quietTime: Duration, longest: Duration) {
    self.longest = TreeTime(max(longest, .zero)).nanoseconds
    self.quietTime = min(TreeTime(max(quietTime, .zero)).nanoseconds, self.longest)
  }

  /// Records a change. Returns the time for which a timer must be set; nil if one is running.
  mutating func change(at time: Int64) -> Int64? {
    unsaved = (unsaved?.first ?? time, time)
    return setTimer(for: slice, at: time)
  }

  /// Records a failed save, which is retried after a while. Returns the time for which a timer must be set; nil if one
  /// is running.
  mutating func fail(at time: Int64) -> Int64? {
    let rest = max(longest, Self.leastRest)
    unsaved = (time.addingSaturated(rest - longest), time.addingSaturated(rest - quietTime))
    return setTimer(for: rest, at: time)
  }

  /// The least time between a failed save and the next one.
  private static let leastRest: Int64 = 5_000_000_000

  /// The longest time of a timer.
  private var slice: Int64 { max(quietTime / 4, 1) }

  private mutating func setTimer(for duration: Int64, at time: Int64) -> Int64? {
    guard timerBegin == nil else { return nil }
    timerBegin = time
    return duration
  }

  /// Records the end of the timer. Returns nil if there is nothing left to save.
  ///
  /// - Parameter notes: The number of changes that were counted during the timer.
  mutating func timerEnded(at time: Int64, notes: Int) -> Command? {
    let begin = timerBegin.take()
    guard var unsaved else { return nil }
    if notes >= Self.mostNotes { unsaved.last = time }
    self.unsaved = unsaved
    // The times are measured from the start of the store, but a delay may have any length.
    let end = min(unsaved.last.addingSaturated(quietTime), unsaved.first.addingSaturated(longest))
    // If the clock stands still or goes back, that time may never come.
    guard time < end, begin.map({ $0 < time }) == true else { return .save }
    timerBegin = time
    return .wait(min(end.subtractingSaturated(time), slice))
  }

  /// Records that a save has taken the state with all changes so far.
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

  /// The number of changes that were counted since the timer was set. Increased on the tree's queue.
  private let notes = AtomicNumber(0)
  private let time: @Sendable () -> TreeTime
  private let wantSteps: @Sendable (Bool) -> Void
  private let schedule: @Sendable (Duration, @escaping @Sendable () -> Void) -> @Sendable () -> Void
  private let save: @Sendable () -> Void

  /// Cancels the last timer.
  private let cancel = Protected<@Sendable () -> Void>({})

  /// Makes a timer for a store.
  ///
  /// - Parameters:
  ///   - needsEachStep: `true` if each step must be reported, because another receiver depends on the same function.
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

  /// Records a change that must be saved. Called on the tree's queue.
  ///
  /// - Once enough changes were counted, no more are requested until the timer ends or a save begins.
  func change() {
    let count = notes.load()
    guard count < SaveDelay.mostNotes else { return }
    if count == SaveDelay.mostNotes - 1 { wantSteps(false) }
    notes.add(1)
    // Read outside the lock, because the clock may be the user's.
    let now = time().nanoseconds
    if let rest = delay.withLock({ $0.change(at: now) }) { wait(rest) }
  }

  /// Records a failed save.
  func fail() {
    let now = time().nanoseconds
    if let rest = delay.withLock({ $0.fail(at: now) }) { wait(rest) }
  }

  /// Records that a save takes the state with all changes so far. Called on the tree's queue.
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
