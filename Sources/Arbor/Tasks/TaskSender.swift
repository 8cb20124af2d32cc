internal import Synchronization

/// What a task sends its actions by: whether it may, and whether what it has sent is still to be reduced.
///
/// - From any thread.
/// - The task's `dispatch` and those of its actions that wait hold it: as long as it is there, something may come of the
///   task, also when its body has ended.
@usableFromInline
final class TaskSender: @unchecked Sendable {
  // Sendable because the flags are atomic, and what else varies is set under its table's lock and read by `deinit` alone.

  private let table: TaskTable
  private let over = Atomic(false)
  private let revoked = Atomic(false)

  /// The task's number; 0 before it was registered.
  var number: UInt64 = 0

  /// Whether the task has ended and its table knows it still.
  var isKnown = false

  init(in table: TaskTable) {
    self.table = table
  }

  /// Whether the task was cancelled or its store is gone: it sends nothing any more.
  @usableFromInline
  var isOver: Bool { over.load(ordering: .acquiring) }

  /// Whether nothing of what it has sent is to be reduced.
  @usableFromInline
  var isRevoked: Bool { revoked.load(ordering: .acquiring) }

  func end() {
    over.store(true, ordering: .releasing)
  }

  func revoke() {
    revoked.store(true, ordering: .releasing)
    end()
  }

  deinit {
    if isKnown { table.forget(number) }
  }
}

/// An action of a task, as it waits in the mailbox.
@usableFromInline
struct SentAction<Action: Sendable>: Sendable {
  @usableFromInline let action: Action
  @usableFromInline let sender: TaskSender

  @usableFromInline
  init(_ action: Action, by sender: TaskSender) {
    self.action = action
    self.sender = sender
  }
}
