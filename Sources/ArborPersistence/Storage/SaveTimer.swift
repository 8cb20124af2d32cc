internal import Arbor

/// The timer of the saves of a store, on the clock of its tree.
final class SaveTimer: Sendable {
  private let delay: Protected<SaveDelay>
  private let time: @Sendable () -> TreeTime
  private let schedule: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
  private let save: @Sendable () -> Void

  /// - Parameter save: Called when it is time to save.
  init<State>(_ delay: SaveDelay, on root: FollowedRoot<State>, _ save: @escaping @Sendable () -> Void) {
    self.delay = Protected(delay)
    time = root.stopwatch()
    schedule = { duration, work in root.schedule(after: duration, work) }
    self.save = save
  }

  /// Notes a change that is to be saved.
  func change() {
    // Read outside the lock: the clock may be the user's.
    let now = time().nanoseconds
    if let rest = delay.withLock({ $0.change(at: now) }) { wait(rest) }
  }

  /// Notes that a save has failed.
  func fail() {
    let now = time().nanoseconds
    if let rest = delay.withLock({ $0.fail(at: now) }) { wait(rest) }
  }

  /// Notes that a save takes the state with all changes so far.
  func begin() {
    delay.withLock { $0.begin() }
  }

  private func wait(_ nanoseconds: Int64) {
    schedule(.nanoseconds(nanoseconds)) { [weak self] in
      guard let self else { return }
      let now = time().nanoseconds
      switch delay.withLock({ $0.timerEnded(at: now) }) {
      case .save: save()
      case .wait(let rest): wait(rest)
      case nil: break
      }
    }
  }
}
