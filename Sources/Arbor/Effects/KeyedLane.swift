/// The tasks of one key, and the timers that they wait for.
final class KeyedLane: @unchecked Sendable {  // What varies is touched under its table's lock only.
  /// A timer that runs, and how it is stopped.
  typealias Timer = (number: UInt64, stop: @Sendable () -> Void)

  /// Nil if the tasks are known to nobody but their timers.
  let key: TaskKey?
  var tasks = TaskLane()
  var timers: [Timer] = []

  /// Another one whose key has the same hash.
  var next: KeyedLane?

  init(key: TaskKey?) {
    self.key = key
  }

  /// Takes out the timers for which nothing waits any more.
  func takeStaleTimers() -> [Timer] {
    guard !timers.isEmpty else { return [] }
    let stale = timers.filter { !tasks.isAwaiting($0.number) }
    if !stale.isEmpty { timers.removeAll { !tasks.isAwaiting($0.number) } }
    return stale
  }
}
