import Dispatch

/// An object that signals when it is freed.
final class Flag: Sendable {
  private let freed: DispatchSemaphore

  init(_ freed: DispatchSemaphore) {
    self.freed = freed
  }

  deinit {
    freed.signal()
  }
}
