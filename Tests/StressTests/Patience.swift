import Dispatch
import Synchronization

/// A timeout for events that never come: a quarter of an hour, once.
///
/// - It replaces waiting forever, which could not report its seed. Everything that works takes milliseconds.
final class Patience: Sendable {
  private let isOver = Atomic(false)

  /// Waits for a signal.
  ///
  /// - Returns: `false` if the signal has not come.
  func wait(for semaphore: DispatchSemaphore) -> Bool {
    let limit = isOver.load(ordering: .relaxed) ? DispatchTime.now() : .now() + .seconds(900)
    if semaphore.wait(timeout: limit) == .success { return true }
    isOver.store(true, ordering: .relaxed)
    return false
  }
}
