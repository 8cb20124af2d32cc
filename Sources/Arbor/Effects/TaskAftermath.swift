/// What an event has made of tasks, and what is to be done about it once the lock was let go.
struct TaskAftermath {
  /// Those that were dropped; if they have begun, with what is to be cancelled as soon as it is there.
  var dropped: [(task: RegisteredTask, hasBegun: Bool, work: Task<Void, Never>?)] = []

  /// The one that is to begin; as a rule there are no others, and no array is made.
  private(set) var started: RegisteredTask?
  private(set) var othersStarted: [RegisteredTask] = []

  /// The timers to start.
  var timers: [(lane: KeyedLane, number: UInt64, duration: Duration)] = []

  /// Those to stop.
  var stale: [KeyedLane.Timer] = []

  /// What is to be released, and not under the lock.
  var released: [KeyedLane] = []

  mutating func start(_ task: RegisteredTask) {
    if started == nil { started = task } else { othersStarted.append(task) }
  }
}
