import Dispatch
import Foundation

/// A thread that was started, and can be waited for.
struct TestThread: Sendable {
  private let done = DispatchSemaphore(value: 0)

  init(_ body: @escaping @Sendable () -> Void) {
    let done = done
    Thread {
      body()
      done.signal()
    }
    .start()
  }

  func join() {
    done.wait()
  }
}

/// Runs a body on several threads at once, and returns when all have ended.
func onThreads(_ count: Int, _ body: @escaping @Sendable (_ thread: Int) -> Void) {
  let start = DispatchSemaphore(value: 0)
  let threads = (0..<count).map { thread in
    TestThread {
      start.wait()
      body(thread)
    }
  }
  for _ in threads { start.signal() }
  for thread in threads { thread.join() }
}
