/// A task as its table knows it.
final class RegisteredTask: @unchecked Sendable {  // Its table's lock guards the variables.
  /// What it does; gives what it returns or throws.
  typealias Body = @Sendable (_ sender: TaskSender) async -> Result<any Sendable, any Error>

  let table: TaskTable
  let priority: TaskPriority?

  /// Where it was entered, if anybody waits for it with others.
  let group: EffectGroup?

  /// Whether it was registered by the tree's own work, and not from outside.
  let isSetOff: Bool

  /// How much was accepted before it.
  let place: UInt64

  let outcome = TaskOutcome()

  /// Its place in the order in which tasks came to the table; 0 before it came.
  var number: UInt64 = 0

  /// The tasks with its key; nil if it is known to nobody.
  var lane: KeyedLane?

  /// Nil once its body has ended.
  var sender: TaskSender?

  /// Nil once it has begun or was dropped.
  var body: Body?
  var isDropped = false

  /// Nil until it has begun.
  var work: Task<Void, Never>?

  init(priority: TaskPriority?, in table: TaskTable, group: EffectGroup?, body: @escaping Body) {
    self.table = table
    self.priority = priority
    self.group = group
    self.body = body
    let now = table.mailbox.place
    place = now.place
    isSetOff = now.isInside
    sender = TaskSender(in: table)
  }

  /// Begins, unless it was dropped. Under the table's lock, and so before anybody can cancel it.
  func begin() {
    guard let body = body.take(), let sender else { return }
    // Detached: it is nobody's whose thread it happens to be that runs the tree's work.
    work = Task.detached(executorPreference: table.mailbox.executor.taskExecutor, priority: priority) { [self] in
      table.end(self, await result(of: body, sender))
    }
  }

  private func result(of body: Body, _ sender: TaskSender) async -> Result<any Sendable, any Error> {
    guard !sender.isOver else { return .failure(CancellationError()) }
    return await body(sender)
  }
}
