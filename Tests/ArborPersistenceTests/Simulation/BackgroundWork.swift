import Arbor
import Dispatch

/// The work beside the queue of a simulated storage.
final class BackgroundWork: Sendable {
  private struct Content: Sendable {
    var work: [@Sendable () -> Void] = []

    /// The number of those who wait for the work: it is done at once then.
    var waiting = 0
  }

  private let content = Protected(Content())

  /// Adds work for which somebody may wait.
  func add(_ work: @escaping @Sendable () -> Void) {
    let isWaitedFor = content.withLock { content in
      if content.waiting == 0 { content.work.append(work) }
      return content.waiting > 0
    }
    if isWaitedFor { DispatchQueue.global().async(execute: work) }
  }

  /// Adds work that is tried again, and for which nobody waits.
  func addLater(_ work: @escaping @Sendable () -> Void) {
    content.withLock { $0.work.append(work) }
  }

  /// Does the work so far.
  ///
  /// - Not inlined, as async functions call it, and those below: see `Protected.withLockInAsync`.
  @inline(never)
  func run() {
    let work = content.withLock { content in
      defer { content.work = [] }
      return content.work
    }
    for work in work { work() }
  }

  /// Does the work so far, and each that is added until ``end()``.
  @inline(never)
  func begin() {
    content.withLock { $0.waiting += 1 }
    run()
  }

  @inline(never)
  func end() {
    content.withLock { $0.waiting -= 1 }
  }
}
