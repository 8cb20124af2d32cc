/// A task as its table knows it.
@usableFromInline
final class RegisteredTask: @unchecked Sendable {
  // Sendable because its table's lock guards what varies. Two things are read without it: the number by who has registered
  // the task, and the sender by the task's own body, before whose end it is not taken away.

  /// Begins the body, and says to the table when it has ended. Not called under the table's lock: to wake a thread takes
  /// longer than anything that the lock is held for.
  ///
  /// A closure makes the language's task, and not this class, so that the body is called in as few frames as can be.
  let begin: @Sendable (RegisteredTask) -> Task<Void, Never>

  @usableFromInline let table: TaskTable

  /// Where it was entered, if anybody waits for it with others.
  let group: EffectGroup?

  /// `true` if it was registered by the tree's own work, and not from outside.
  let startedByTree: Bool

  /// How much was accepted before it.
  let position: UInt64

  /// The task as a manual executor knows it; nil if none runs the tree.
  let tracked: InspectedTask?

  /// Nil if nobody asks for it.
  let outcome: TaskOutcome?

  /// The task's identity for monitors; nil if there are none. Set before it is registered.
  var monitored: MonitoredTask?

  /// Its place in the order in which tasks came to the table; 0 before it came.
  @usableFromInline var number: UInt64 = 0

  /// The tasks with its key; nil if it is known to nobody.
  var lane: TaskKeyEntry?

  /// Nil once its body has ended.
  @usableFromInline var sender: TaskSender?

  var hasBegun = false
  var isDropped = false

  /// Nil until it has begun.
  var work: Task<Void, Never>?

  @usableFromInline
  init(
    in table: TaskTable,
    group: EffectGroup?,
    outcome: TaskOutcome?,
    tracked: InspectedTask?,
    begin: @escaping @Sendable (RegisteredTask) -> Task<Void, Never>
  ) {
    self.table = table
    self.group = group
    self.outcome = outcome
    self.tracked = tracked
    self.begin = begin
    let now = table.tree.position
    position = now.position
    startedByTree = now.isInside
    sender = TaskSender(in: table)
  }

  @usableFromInline var executor: (any TaskExecutor)? { table.tree.executor.taskExecutor }

  /// It has ended, or will never begin: nobody who runs the tree by hand waits for it.
  func forgetTracked() {
    if let tracked { table.tree.taskInspection?.forget(tracked) }
  }

  /// Tells monitors, if there are any, of something that happens to it.
  func report(_ event: (MonitoredTask) -> StoreEvent) {
    guard let monitored else { return }
    table.tree.post(event(monitored))
  }

  /// Tells monitors what has come of it.
  func report(_ result: Result<any Sendable, any Error>) {
    report { task in
      switch result {
      case .success: .taskFinished(task)
      case .failure(is CancellationError): .taskCancelled(task)
      case .failure(let error): .taskFailed(task, error)
      }
    }
  }
}

/// The outcome of a task, and those who wait for it.
///
/// From any thread. The value has no type here: to find the types of what is generic takes longer than to start a task.
@usableFromInline
final class TaskOutcome: Sendable {
  private enum State: Sendable {
    case awaited([UnsafeContinuation<any Sendable, any Error>])
    case settled(Result<any Sendable, any Error>)
  }

  private let state = Protected(State.awaited([]))

  var isSettled: Bool {
    state.withLock { state in
      if case .settled = state { true } else { false }
    }
  }

  /// Settles the outcome, unless it is.
  func settle(_ result: Result<any Sendable, any Error>) {
    let waiting = state.withLock { state -> [UnsafeContinuation<any Sendable, any Error>] in
      guard case .awaited(let waiting) = state else { return [] }
      state = .settled(result)
      return waiting
    }
    for continuation in waiting { continuation.resume(with: result) }
  }

  /// Resumes a continuation once it is settled; once, as it is taken out of the state.
  func resume(_ continuation: UnsafeContinuation<any Sendable, any Error>) {
    let result = state.withLock { state -> Result<any Sendable, any Error>? in
      switch state {
      case .settled(let result):
        return result
      case .awaited(var waiting):
        // Let go of, so that it need not be copied.
        state = .awaited([])
        waiting.append(continuation)
        state = .awaited(waiting)
        return nil
      }
    }
    if let result { continuation.resume(with: result) }
  }
}

/// The sender of a task's actions. Something may come of the task as long as it is there, also when its body has ended.
@usableFromInline
final class TaskSender: ActionSender, @unchecked Sendable {
  // Sendable because what varies is set under its table's lock and read by `deinit` alone.

  private let table: TaskTable

  /// The task's number; 0 before it was registered.
  var number: UInt64 = 0

  /// `true` if the task has ended and its table knows it still.
  var isKnown = false

  init(in table: TaskTable) {
    self.table = table
    super.init()
  }

  deinit {
    if isKnown { table.forget(number) }
  }
}
