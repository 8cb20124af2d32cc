import Dispatch
import Synchronization

/// The end of waiting for what never comes: a quarter of an hour, once.
///
/// - It is there in place of waiting for ever, which could not say its seed: all that works takes milliseconds.
final class Patience: Sendable {
  private let isOver = Atomic(false)

  /// Waits for a signal.
  ///
  /// - Returns: `false` if it has not come.
  func wait(for semaphore: DispatchSemaphore) -> Bool {
    let limit = isOver.load(ordering: .relaxed) ? DispatchTime.now() : .now() + .seconds(900)
    if semaphore.wait(timeout: limit) == .success { return true }
    isOver.store(true, ordering: .relaxed)
    return false
  }
}
