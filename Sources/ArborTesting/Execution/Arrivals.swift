/// The waiters for something that comes to a manual executor from elsewhere.
struct Arrivals: Sendable {
  typealias Waiter = CheckedContinuation<Bool, Never>

  /// The number of times that something has come.
  private(set) var count: UInt64 = 0

  private var waiters: [UInt64: Waiter] = [:]
  private var lastNumber: UInt64 = 0

  /// Something has come.
  ///
  /// - Returns: The waiters to be told.
  mutating func note() -> [Waiter] {
    count += 1
    guard !waiters.isEmpty else { return [] }
    defer { waiters = [:] }
    return Array(waiters.values)
  }

  /// Somebody waits.
  ///
  /// - Returns: The number of the waiter; nil if something has come since a
  ///   moment, and it need not wait.
  mutating func add(_ waiter: Waiter, since moment: UInt64) -> UInt64? {
    guard count == moment else { return nil }
    lastNumber += 1
    waiters[lastNumber] = waiter
    return lastNumber
  }

  mutating func remove(_ number: UInt64) -> Waiter? {
    waiters.removeValue(forKey: number)
  }
}
