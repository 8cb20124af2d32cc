/// What an event has made of tasks, and what is to be done about it once the lock was let go.
struct TaskAftermath {
  /// Those that were dropped; with their bodies, if these had not begun.
  var dropped: [(task: RegisteredTask, body: RegisteredTask.Body?)] = []

  /// The timers to start.
  var timers: [(lane: KeyedLane, number: UInt64, duration: Duration)] = []

  /// Those to stop.
  var stale: [KeyedLane.Timer] = []

  /// What is to be released, and not under the lock.
  var released: [any AnyObject & Sendable] = []
}
