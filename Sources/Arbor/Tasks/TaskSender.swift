/// What a task sends its actions by. Something may come of the task as long as it is there, also when its body has ended.
@usableFromInline
final class TaskSender: ActionSender, @unchecked Sendable {
  // Sendable because what varies is set under its table's lock and read by `deinit` alone.

  private let table: TaskTable

  /// The task's number; 0 before it was registered.
  var number: UInt64 = 0

  /// Whether the task has ended and its table knows it still.
  var isKnown = false

  init(in table: TaskTable) {
    self.table = table
    super.init()
  }

  deinit {
    if isKnown { table.forget(number) }
  }
}
