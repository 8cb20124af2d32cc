/// A task that was started by a store: to wait for, and to cancel.
///
/// - It may be dropped at will: the task goes on.
public struct StoreTask<Value: Sendable>: Sendable {
  let outcome: TaskOutcome
  let number: UInt64
  let table: TaskTable

  /// The value that the task returns.
  ///
  /// - Throws `CancellationError` as soon as the task is cancelled or displaced by another one, or its store goes: even if
  ///   it runs to its end all the same. The same if the store was gone before.
  /// - Cancelling the task that waits here does not cancel this one.
  public var value: Value {
    get async throws {
      let value = try await withUnsafeThrowingContinuation { continuation in
        outcome.resume(continuation)
        table.tree.executor.taskWaits { outcome.isSettled }
      }
      // What settles it is the task's body, which gives this type.
      return value as! Value
    }
  }

  /// Cancels the task, and revokes what it has sent: said on the store's queue, none of its actions is reduced any more;
  /// said elsewhere, at most the one whose step has begun.
  ///
  /// - From any thread, any number of times; also once it has ended.
  public func cancel() {
    table.cancel(number)
  }
}
