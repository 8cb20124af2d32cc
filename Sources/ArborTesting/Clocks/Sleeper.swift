internal import Arbor

/// A task that sleeps until it is woken, also if that comes first.
final class Sleeper: Sendable {
  private enum State: Sendable {
    case awake
    case asleep(CheckedContinuation<Void, Never>)
    case woken
  }

  private let state = Protected(State.awake)

  func sleep() async {
    await withCheckedContinuation { continuation in
      let isWoken = state.withLock { state in
        if case .woken = state { return true }
        state = .asleep(continuation)
        return false
      }
      if isWoken { continuation.resume() }
    }
  }

  func wake() {
    let continuation = state.withLock { state -> CheckedContinuation<Void, Never>? in
      defer { state = .woken }
      if case .asleep(let continuation) = state { return continuation }
      return nil
    }
    continuation?.resume()
  }
}
