internal import Arbor

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
