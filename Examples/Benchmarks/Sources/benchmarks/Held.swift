import Arbor
import Dispatch
import Foundation

extension StoreProtocol {
  /// Runs a body while the store's queue is held, then releases the queue and waits until it has caught up.
  ///
  /// This way, sending and reducing are timed one after the other, regardless of how two threads happen to overlap.
  ///
  /// - Returns: The nanoseconds that the queue took to catch up.
  @discardableResult
  func whileHeld(_ body: () -> Void) -> Double {
    let (isHeld, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let held = scope { _ in
      isHeld.signal()
      release.wait()
    }
    Thread { consume(held.state) }.start()
    isHeld.wait()
    body()
    return nanoseconds(perOperationOf: 1) {
      release.signal()
      consume(state)
    }
  }
}
