/// What a task has come to, and who waits for it.
final class TaskOutcome<Value: Sendable>: Sendable {
  private enum State: Sendable {
    case awaited([CheckedContinuation<Value, any Error>])
    case settled(Result<Value, any Error>)
  }

  private let state = Protected(State.awaited([]))

  /// Settles the outcome, unless it is.
  func settle(_ result: Result<Value, any Error>) {
    let waiting = state.withLock { state -> [CheckedContinuation<Value, any Error>] in
      guard case .awaited(let waiting) = state else { return [] }
      state = .settled(result)
      return waiting
    }
    for continuation in waiting { continuation.resume(with: result) }
  }

  var value: Value {
    get async throws {
      try await withCheckedThrowingContinuation { continuation in
        let result = state.withLock { state -> Result<Value, any Error>? in
          switch state {
          case .settled(let result):
            return result
          case .awaited(let waiting):
            state = .awaited(waiting + [continuation])
            return nil
          }
        }
        if let result { continuation.resume(with: result) }
      }
    }
  }
}
