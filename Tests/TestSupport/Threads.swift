import Dispatch
import Foundation

/// A started thread, for which a test can wait.
package struct TestThread: Sendable {
  private let done = DispatchSemaphore(value: 0)

  package init(_ body: @escaping @Sendable () -> Void) {
    Thread { [done] in
      body()
      done.signal()
    }
    .start()
  }

  package func join() {
    done.wait()
  }
}

/// Runs a body on several threads at the same time, and returns when all are done.
package func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let (ready, start) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  let threads = (0..<count).map { number in
    TestThread {
      ready.signal()
      start.wait()
      body(number)
    }
  }
  for _ in threads { ready.wait() }
  for _ in threads { start.signal() }
  for thread in threads { thread.join() }
}

/// Runs a body on a thread of its own.
///
/// - The body may wait for tasks: it occupies none of the few threads on which tasks run.
package func onOwnThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
  await withCheckedContinuation { continuation in
    _ = TestThread { continuation.resume(returning: body()) }
  }
}
