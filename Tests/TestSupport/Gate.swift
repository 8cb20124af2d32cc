import Arbor

/// A gate where tasks wait, ignoring cancellation, until a test opens it.
package final class Gate: Sendable {
  private enum State: Sendable {
    case closed([CheckedContinuation<Void, Never>])
    case open
  }

  private let state = Protected(State.closed([]))

  package init() {}

  package func pass() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        guard case .closed(let waiting) = state else { return true }
        state = .closed(waiting + [continuation])
        return false
      }
      if isOpen { continuation.resume() }
    }
  }

  package func open() {
    let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      guard case .closed(let waiting) = state else { return [] }
      state = .open
      return waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}
