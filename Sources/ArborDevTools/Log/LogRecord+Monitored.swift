internal import Arbor
internal import ArborDiff

extension LogRecord {
  /// The limits for comparing two states: a few milliseconds, regardless of their size.
  private static let limits = StateDiffLimits(parts: 4000)

  init(_ logged: LoggedAction) {
    self.init(.action, store: LoggedStore(logged.store))
    action = LineText.of(logged.action)
    time = logged.times?.accepted.nanoseconds
    times = logged.times.map(LoggedTimes.init)
    isLastOfStep = logged.isLastOfStep
    outcome = LoggedOutcome(logged.outcome)
    if case .replaced(let replacement) = logged.outcome { self.replacement = LineText.of(replacement) }
    for transition in logged.states { addChanges(transition) }
  }

  init(_ event: StoreEvent, at time: Duration) {
    switch event {
    case .storeMade(let store): self.init(.storeMade, store: LoggedStore(store))
    case .storeGone(let store): self.init(.storeGone, store: LoggedStore(store))
    case .observerMade(let store): self.init(.observerMade, store: LoggedStore(store))
    case .observerGone(let store): self.init(.observerGone, store: LoggedStore(store))
    case .taskStarted(let task): self.init(.taskStarted, task)
    case .taskFinished(let task): self.init(.taskFinished, task)
    case .taskCancelled(let task): self.init(.taskCancelled, task)
    case .taskFailed(let task, let error):
      self.init(.taskFailed, task)
      self.error = LineText.of(error)
    case .activity(let activity, let store):
      self.init(.activity, store: LoggedStore(store))
      self.activity = LineText.of(activity)
    }
    self.time = time.nanoseconds
  }

  init(_ gap: LogBacklog.Gap) {
    self.init(.recordsDropped, store: LoggedStore(gap.store))
    dropped = gap.count
  }

  private init(_ kind: LogRecordKind, _ task: MonitoredTask) {
    self.init(kind, store: LoggedStore(task.store))
    self.task = task.id
    key = task.key.map { LineText.of($0) }
    stateEffect = task.stateEffect
  }

  private mutating func addChanges(_ transition: StateTransition) {
    let diff = StateDiff(from: transition.before, to: transition.after, limits: LogRecord.limits)
    let store = LoggedStore(transition.store)
    let more = diff.changes.map { change in
      LoggedChange(
        store: store,
        path: LineText.beginning(of: change.path),
        before: change.before.map { LineText.beginning(of: $0) },
        after: change.after.map { LineText.beginning(of: $0) }
      )
    }
    let left = diff.omissions.map { omission in
      LoggedOmission(store: store, path: LineText.beginning(of: omission.path), count: omission.count)
    }
    if !more.isEmpty { changes = (changes ?? []) + more }
    if !left.isEmpty { notLookedAt = (notLookedAt ?? []) + left }
    if diff.isTruncated { hasMoreChanges = true }
  }
}

extension StoreEvent {
  /// The store in which the event happened.
  var store: MonitoredStore {
    switch self {
    case .storeMade(let store), .storeGone(let store), .observerMade(let store), .observerGone(let store): store
    case .taskStarted(let task), .taskFinished(let task), .taskCancelled(let task), .taskFailed(let task, _): task.store
    case .activity(_, let store): store
    }
  }
}
