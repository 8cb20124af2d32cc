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

  private let isTimeManual: Bool
  private let run: @Sendable () -> Void

  /// - Parameters:
  ///   - isTimeManual: Whether the tree's clock is moved by hand.
  ///   - run: Runs what waits for who runs the tree.
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

  /// A thread is about to run what was accepted.
  func willWait() {
    content.withLock { $0.willWait }?()
  }

  /// Makes a task known that has come.
  func track(key: TaskKey?, cause: (any Sendable)?, isEffect: Bool) -> TrackedTask {
    let task = TrackedTask(key: key?.value, cause: cause, isEffect: isEffect, isTimeManual: isTimeManual, run: run)
    content.withLock { $0.tasks[task.number] = task }
    return task
  }

  /// A task has ended, or its body will never begin.
  func forget(_ task: TrackedTask) {
    // Released outside the lock.
    _ = content.withLock { $0.tasks.removeValue(forKey: task.number) }
  }
}
