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
