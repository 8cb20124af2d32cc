/// A task that was started by a store: to wait for, and to cancel.
///
/// - It may be dropped at will: the task goes on.
public struct StoreTask<Value: Sendable>: Sendable {
  let outcome: TaskOutcome
  let number: UInt64
  let table: TaskTable

  /// What the task returns or throws.
  ///
  /// - Throws `CancellationError` as soon as the task is cancelled or displaced by another one, or its store goes: even if
  ///   it runs to its end all the same. The same if the store was gone before.
  /// - Cancelling the task that waits here does not cancel this one.
  public var value: Value {
    get async throws {
      let value = try await withUnsafeThrowingContinuation { continuation in
        outcome.resume(continuation)
        table.mailbox.executor.taskWaits { outcome.isSettled }
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

/// What a task has come to, and who waits for it.
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
