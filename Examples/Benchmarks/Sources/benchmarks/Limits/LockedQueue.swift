import Dispatch
import Synchronization

/// Appends under a lock and drains on a queue: the minimum work of a store with a mailbox.
final class LockedQueue: Sendable {
  private struct Waiting {
    var actions: [CounterAction] = []
    var isAwake = false
  }

  private let waiting = Mutex(Waiting())
  private let queue = DispatchQueue(label: "LockedQueue", qos: .userInteractive)
  nonisolated(unsafe) private var state = Counter()  // Used only on the queue.

  func send(_ action: CounterAction) {
    let mustWake = waiting.withLock { waiting in
      waiting.actions.append(action)
      defer { waiting.isAwake = true }
      return !waiting.isAwake
    }
    if mustWake { queue.async { self.drain() } }
  }

  /// Returns once everything sent before was reduced.
  func wait() {
    queue.sync { drain() }
    consume(queue.sync { state.count })
  }

  private func drain() {
    var actions: [CounterAction] = []
    while true {
      actions.removeAll(keepingCapacity: true)
      let isEmpty = waiting.withLock { waiting in
        swap(&waiting.actions, &actions)
        if actions.isEmpty { waiting.isAwake = false }
        return actions.isEmpty
      }
      if isEmpty { return }
      for action in actions {
        state.reduce(action)
      }
    }
  }
}
