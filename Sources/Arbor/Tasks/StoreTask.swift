/// A task that was started by a store: a handle to wait for its value and to cancel it.
///
/// - Releasing the handle does not end the task.
public struct StoreTask<Value: Sendable>: Sendable {
  let outcome: TaskOutcome
  let number: UInt64
  let table: TaskTable

  /// The value that the task returns.
  ///
  /// - The cancellation of the task that waits ends the wait. It does not cancel this task.
  /// - Throws: The error of the body; `CancellationError` as soon as the task is cancelled or dropped by a mode, or the
  ///   store's owner is released, even if the body runs on; also if the owner was gone when the task was started, and if
  ///   the task that waits is cancelled.
  public var value: Value {
    get async throws {
      let caller = SuspendedCaller()
      await caller.suspend {
        outcome.add(caller)
        table.tree.executor.taskWaits { caller.isResumed }
      }
      guard let result = outcome.result else {
        outcome.remove(caller)
        throw CancellationError()
      }
      // The task's body settles the outcome, and returns this type.
      return try result.get() as! Value
    }
  }

  /// Cancels the task and revokes the actions that it has sent.
  ///
  /// - Called in a callback of the tree, none of its actions is reduced any more. Called elsewhere, only one whose step
  ///   has already begun is still reduced.
  /// - From any thread, any number of times, also after the task has ended.
  public func cancel() {
    table.cancel(number)
  }
}
