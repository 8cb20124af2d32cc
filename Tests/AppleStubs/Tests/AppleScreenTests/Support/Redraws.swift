import Dispatch
import Observation

/// Counts how often a read value is about to change, like the redraws of a view.
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
        // Read again after the change, like the body of a view.
        DispatchQueue.main.async { self?.track() }
      }
    }
  }
}
