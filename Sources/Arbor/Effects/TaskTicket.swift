internal import Synchronization

/// Says whether a task may still send actions, and whether those that it has sent are still to be reduced.
///
/// From any thread.
@usableFromInline
final class TaskTicket: Sendable {
  let number = Identity().number

  /// What the task is known by; nil if it is known to nobody.
  let key: TaskKey?

  private let over = Atomic(false)
  private let revoked = Atomic(false)

  /// How many of its actions wait in the mailbox.
  private let waiting = Atomic(0)

  /// Where the task is registered.
  let table: TaskTable

  init(key: TaskKey?, mode: TaskMode, in table: TaskTable) {
    self.table = table
    // A task that is to wait is known by something, if only to its timer.
    self.key = key ?? (mode == .parallel ? nil : TaskKey(Identity()))
  }

  /// Whether the task was cancelled or its store is gone: it sends nothing any more.
  var isOver: Bool { over.load(ordering: .acquiring) }

  /// Whether nothing of what it has sent is to be reduced.
  var isRevoked: Bool { revoked.load(ordering: .acquiring) }

  /// Whether any of its actions waits.
  var isAwaited: Bool { waiting.load(ordering: .acquiring) > 0 }

  func end() {
    over.store(true, ordering: .releasing)
  }

  func revoke() {
    revoked.store(true, ordering: .releasing)
    end()
  }

  func actionWaits() {
    waiting.add(1, ordering: .acquiringAndReleasing)
  }

  func actionIsThrough() {
    let isLast = waiting.subtract(1, ordering: .acquiringAndReleasing).newValue == 0
    if isLast { table.forget(self) }
  }
}
