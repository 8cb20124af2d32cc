import Dispatch

/// Signals when it is freed, and thus when whatever holds it is.
final class DeinitSignal: Sendable {
  private let semaphore: DispatchSemaphore

  init(_ semaphore: DispatchSemaphore) {
    self.semaphore = semaphore
  }

  deinit {
    semaphore.signal()
  }
}
