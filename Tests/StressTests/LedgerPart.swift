/// A part of the stress test's state.
struct LedgerPart: Sendable {
  private(set) var count = 0
  private(set) var twin = 0
  private var last = [Int](repeating: -1, count: Ledger.lanes)

  /// Counts a change.
  ///
  /// - Returns: The number of changes.
  @discardableResult
  mutating func reduce(_ slip: Slip) -> Int {
    count += 1
    // Out of order, it would never be consistent again.
    guard slip.sequence > last[slip.lane] else { return count }
    last[slip.lane] = slip.sequence
    twin += 1
    return count
  }
}
