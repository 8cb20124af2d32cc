import Arbor
import Dispatch

/// The work of a simulated storage that is done outside its queue.
final class BackgroundWork: Sendable {
  private struct Content: Sendable {
    var work: [@Sendable () -> Void] = []

    /// The number of callers that wait for the work. If there are any, added work is done at once.
    var waiting = 0
  }

  private let content = Protected(Content())

  /// Adds work that a caller may wait for.
  func add(_ work: @escaping @Sendable () -> Void) {
    let isWaitedFor = content.withLock { content in
      if content.waiting == 0 { content.work.append(work) }
      return content.waiting > 0
    }
    if isWaitedFor { DispatchQueue.global().async(execute: work) }
  }

  /// Adds work that is tried again, and that no caller waits for.
  func addLater(_ work: @escaping @Sendable () -> Void) {
    content.withLock { $0.work.append(work) }
  }

  /// Does the work that was added so far.
  ///
  /// - This function and the ones below aren't inlined, because async functions call them; see
  ///   `Protected.withLockInAsync`.
  @inline(never)
  func run() {
    let work = content.withLock { content in
      defer { content.work = [] }
      return content.work
    }
    for work in work { work() }
  }

  /// Does the work that was added so far, and all work that is added until ``end()``.
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
