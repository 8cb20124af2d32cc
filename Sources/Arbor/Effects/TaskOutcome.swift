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
