import Dispatch
import Foundation

/// Runs a body on so many threads at the same time, and returns once all are done.
package func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let (ready, start, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  for number in 0..<count {
    Thread {
      ready.signal()
      start.wait()
      body(number)
      done.signal()
    }.start()
  }
  for _ in 0..<count { ready.wait() }
  for _ in 0..<count { start.signal() }
  for _ in 0..<count { done.wait() }
}
