import Arbor
import Dispatch

/// Waiting for the end of a tree's tasks.
extension StressTree {
  /// Waits until the tree has settled.
  func settle() {
    let group = DispatchGroup()
    group.enter()
    Task { [store = stores[0]] in
      await store.settled()
      group.leave()
    }
    group.wait()
  }

  /// Checks at rest that nothing waits or runs.
  func checkIdle() {
    for store in stores + scopes + optionalScopes + ownScopes.withLock({ $0 }) {
      for key in Array(TaskPlan.keys) + [TaskPlan.queuedKey] where store.isRunning(key) {
        ground.flaws.note("a task of \(name) with the key \(key) still runs at rest")
      }
    }
    let waiting = stores[0].tree?.waiting
    ground.flaws.expect(waiting == 0, "\(String(describing: waiting)) entries wait in the mailbox of \(name) at rest")
  }
}
