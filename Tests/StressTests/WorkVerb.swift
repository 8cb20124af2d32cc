import Arbor

/// A verb of a `JobState`.
enum WorkVerb: Int, Sendable, CaseIterable {
  case run, restart, retry, succeed, fail, cancel, reset
}

extension JobState {
  mutating func apply(_ verb: WorkVerb) {
    switch verb {
    case .run: run(maxAttempts: 2)
    case .restart: restart()
    case .retry: retryOrFail("again")
    case .succeed: succeed()
    case .fail: fail("no")
    case .cancel: cancel()
    case .reset: reset()
    }
  }
}
