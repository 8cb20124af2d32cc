/// A task that was started by a store: to wait for, and to cancel.
///
/// - It may be dropped at will: the task goes on.
public struct StoreTask<Value: Sendable>: Sendable {
  let outcome: TaskOutcome<Value>
  let ticket: TaskTicket

  /// What the task returns or throws.
  ///
  /// - Throws `CancellationError` as soon as the task is cancelled or displaced by another one, or its store goes: even if
  ///   it runs to its end all the same.
  /// - Cancelling the task that waits here does not cancel this one.
  public var value: Value {
    get async throws { try await outcome.value }
  }

  /// Cancels the task, and revokes what it has sent: said on the store's queue, none of its actions is reduced any more;
  /// said elsewhere, at most the one whose step has begun.
  ///
  /// - From any thread, any number of times; also once it has ended.
  public func cancel() {
    ticket.table.cancel(ticket)
  }
}
