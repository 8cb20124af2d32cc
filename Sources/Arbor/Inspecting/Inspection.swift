/// What is known of a tree by who runs it by hand: its tasks, and that somebody is about to wait for it.
///
/// From any thread.
@usableFromInline
package final class Inspection: Sendable {
  private struct Content: Sendable {
    var tasks: [UInt64: TrackedTask] = [:]
    var willWait: (@Sendable () -> Void)?
  }

  private let content = Protected(Content())

  /// Whether the tree's clock is moved by hand.
  package let isTimeManual: Bool

  /// Runs what waits for who runs the tree.
  package let run: @Sendable () -> Void

  package init(isTimeManual: Bool, run: @escaping @Sendable () -> Void) {
    self.isTimeManual = isTimeManual
    self.run = run
  }

  /// The tasks that have come and not ended, in the order in which they came.
  package var tasks: [TrackedTask] {
    content.withLock { Array($0.tasks.values) }.sorted { $0.number < $1.number }
  }

  /// Calls a closure whenever a thread, which is in none of the tree's callbacks, is about to run what was accepted because
  /// it waits for it; nil for none.
  package func whenWaiting(_ willWait: (@Sendable () -> Void)?) {
    // What was there is released outside the lock.
    _ = content.withLock { content in
      defer { content.willWait = willWait }
      return content.willWait
    }
  }

  package func willWait() {
    content.withLock { $0.willWait }?()
  }

  func add(_ task: TrackedTask) {
    content.withLock { $0.tasks[task.number] = task }
  }

  func remove(_ task: TrackedTask) {
    _ = content.withLock { $0.tasks.removeValue(forKey: task.number) }
  }
}
