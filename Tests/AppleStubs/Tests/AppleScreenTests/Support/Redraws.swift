import Dispatch
import Observation

/// Counts how often something that was read is about to change, as a view is redrawn.
@MainActor
final class Redraws {
  private(set) var count = 0
  private let read: @MainActor () -> Void

  init(_ read: @escaping @MainActor () -> Void) {
    self.read = read
    track()
  }

  private func track() {
    withObservationTracking(read) { [weak self] in
      MainActor.assumeIsolated {
        self?.count += 1
        // After the change, as a view's body is asked again.
        DispatchQueue.main.async { self?.track() }
      }
    }
  }
}
