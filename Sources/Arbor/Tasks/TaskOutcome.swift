/// The outcome of a task, and the callers that wait for it.
///
/// May be used from any thread. The value is stored untyped: looking up a generic type takes longer than starting a
/// task.
@usableFromInline
final class TaskOutcome: Sendable {
  private enum State: Sendable {
    case awaited([SuspendedCaller])
    case settled(Result<any Sendable, any Error>)
  }

  private let state = Protected(State.awaited([]))

  /// Called with the error if the outcome is a failure.
  private let whenFailed: (@Sendable (any Error) -> Void)?

  @usableFromInline
  init(whenFailed: (@Sendable (any Error) -> Void)? = nil) {
    self.whenFailed = whenFailed
  }

  /// The result of the task; nil until it is set.
  var result: Result<any Sendable, any Error>? {
    state.withLock { state in
      if case .settled(let result) = state { result } else { nil }
    }
  }

  /// Sets the outcome, unless it is already set, and resumes all waiting callers.
  func settle(_ result: Result<any Sendable, any Error>) {
    let waiting = state.withLock { state -> [SuspendedCaller]? in
      guard case .awaited(let waiting) = state else { return nil }
      state = .settled(result)
      return waiting
    }
    guard let waiting else { return }
    for caller in waiting { caller.resume() }
    if case .failure(let error) = result { whenFailed?(error) }
  }

  /// Adds a caller that is resumed when the outcome is set.
  func add(_ caller: SuspendedCaller) {
    let isSettled = state.withLock { state in
      guard case .awaited(let waiting) = state else { return true }
      state = .awaited(waiting + [caller])
      return false
    }
    if isSettled { caller.resume() }
  }

  /// Removes a caller that no longer waits.
  func remove(_ caller: SuspendedCaller) {
    state.withLock { state in
      guard case .awaited(let waiting) = state else { return }
      state = .awaited(waiting.filter { $0 !== caller })
    }
  }
}

/// A waiting caller that is resumed once: by the event that it waits for, or by the cancellation of its task.
///
/// - May be used from any thread.
final class SuspendedCaller: Sendable {
  private enum State: Sendable {
    case running
    case suspended(CheckedContinuation<Void, Never>)
    case resumed
  }

  private let state = Protected(State.running)

  /// `true` after the event has come, or the caller's task was canceled.
  var isResumed: Bool {
    state.withLock { state in
      if case .resumed = state { true } else { false }
    }
  }

  /// Suspends the calling task until it is resumed.
  ///
  /// - Parameters:
  ///   - isolation: The actor that makes the call.
  ///   - begin: Arranges for ``resume()`` to be called.
  func suspend(isolation: isolated (any Actor)? = #isolation, _ begin: () -> Void) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isResumed = state.withLock { state in
          if case .resumed = state { return true }
          state = .suspended(continuation)
          return false
        }
        if isResumed { continuation.resume() } else { begin() }
      }
    } onCancel: {
      resume()
    }
  }

  /// Resumes the caller. May be called any number of times.
  func resume() {
    let continuation = state.withLock { state -> CheckedContinuation<Void, Never>? in
      defer { state = .resumed }
      if case .suspended(let continuation) = state { return continuation }
      return nil
    }
    continuation?.resume()
  }
}
