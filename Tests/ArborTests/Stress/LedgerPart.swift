import Arbor

/// A part of the stress test's state.
struct LedgerPart: Sendable {
  private(set) var count = 0
  private(set) var twin = 0
  private var last = [Int](repeating: -1, count: Ledger.lanes)

  /// - Returns: How often the part was changed.
  @discardableResult
  mutating func reduce(_ slip: Slip) -> Int {
    count += 1
    // Out of order it would never be whole again.
    guard slip.sequence > last[slip.lane] else { return count }
    last[slip.lane] = slip.sequence
    twin += 1
    return count
  }
}

/// An element of the stress test's state, with work of its own.
struct WorkElement: Identifiable, Sendable {
  let id: Int
  var work = EffectState()
}

extension EffectState {
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
