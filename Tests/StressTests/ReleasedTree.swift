import Arbor
import Dispatch
import TestSupport

/// A tree that is released while threads still dispatch to it.
final class ReleasedTree: Sendable {
  /// A thread, and the number of its action.
  typealias Action = (thread: Int, sequence: Int)

  static let threads = 4

  private final class Log: Sendable {
    let reduced = Protected([[Int]](repeating: [], count: ReleasedTree.threads))
  }

  let store: Store<Int, Action>
  private let factory: Protected<StoreFactory<Int, Action>?>
  private let log = Log()

  /// - Parameter freed: Signaled when the tree's reducer is released.
  init(freed: DispatchSemaphore) {
    let signal = Object { freed.signal() }
    let factory = StoreFactory<Int, Action>(initialState: 0) { [log] count, action in
      withExtendedLifetime(signal) {
        count += 1
        log.reduced.withLock { $0[action.thread].append(action.sequence) }
      }
    }
    store = factory.rootStore()
    self.factory = Protected(factory)
  }

  func release() {
    // Released outside the lock.
    _ = factory.withLock { $0.take() }
  }

  /// The actions of each thread that were reduced, in order.
  var reduced: [[Int]] {
    log.reduced.withLock { $0 }
  }
}
