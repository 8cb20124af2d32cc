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

  /// Whether it was registered by the tree's own work, and not from outside.
  let isSetOff: Bool

  /// How much was accepted before it.
  let place: UInt64

  /// What it is known by to who runs the tree by hand; nil if nobody does.
  let tracked: TrackedTask?

  /// Nil if nobody asks for it.
  let outcome: TaskOutcome?

  /// What monitors know it by; nil if there are none. Set before it is registered.
  var monitored: MonitoredTask?

  /// Its place in the order in which tasks came to the table; 0 before it came.
  @usableFromInline var number: UInt64 = 0

  /// The tasks with its key; nil if it is known to nobody.
  var lane: KeyedLane?

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
    tracked: TrackedTask?,
    begin: @escaping @Sendable (RegisteredTask) -> Task<Void, Never>
  ) {
    self.table = table
    self.group = group
    self.outcome = outcome
    self.tracked = tracked
    self.begin = begin
    let now = table.mailbox.place
    place = now.place
    isSetOff = now.isInside
    sender = TaskSender(in: table)
  }

  @usableFromInline var executor: (any TaskExecutor)? { table.mailbox.executor.taskExecutor }

  /// It has ended, or will never begin: nobody who runs the tree by hand waits for it.
  func forgetTracked() {
    if let tracked { table.mailbox.taskInspection?.forget(tracked) }
  }

  /// Tells monitors, if there are any, of something that happens to it.
  func tell(_ event: (MonitoredTask) -> StoreEvent) {
    guard let monitored else { return }
    table.mailbox.post(event(monitored))
  }

  /// Tells monitors what has come of it.
  func tell(_ result: Result<any Sendable, any Error>) {
    tell { task in
      switch result {
      case .success: .taskFinished(task)
      case .failure(is CancellationError): .taskCancelled(task)
      case .failure(let error): .taskFailed(task, error)
      }
    }
  }
}
