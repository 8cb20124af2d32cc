internal import Arbor

/// The checksums of the confirmed states of all clients at some positions.
final class StateChecksums: Sendable {
  /// The number of positions of which checksums are kept.
  private static let kept = 16

  private struct Content: Sendable {
    var own: [Int: UInt64] = [:]

    /// The checksums of others at positions to which this client has not come.
    var others: [Int: Set<UInt64>] = [:]
  }

  private let interval: Int
  private let content = Protected(Content())

  /// - Parameter interval: The distance between the positions; 0 for none.
  init(interval: Int) {
    self.interval = interval
  }

  /// The next position at which states are compared, from one on.
  func nextPosition(from position: Int) -> Int {
    guard interval > 0 else { return .max }
    let (next, isTooGreat) = position.addingReportingOverflow((interval - position % interval) % interval)
    return isTooGreat ? .max : next
  }

  func isDue(at position: Int) -> Bool { interval > 0 && position.isMultiple(of: interval) }

  /// The own checksum at a position; nil if it is not kept.
  func own(at position: Int) -> UInt64? { content.withLock { $0.own[position] } }

  /// Notes the own checksum. Returns `false` if another client has sent another one.
  func note(_ checksum: UInt64, at position: Int) -> Bool {
    content.withLock { content in
      content.own[position] = checksum
      if content.own.count > Self.kept, let oldest = content.own.keys.min() { content.own[oldest] = nil }
      let others = content.others.removeValue(forKey: position) ?? []
      content.others = content.others.filter { $0.key > position }
      return others.isSubset(of: [checksum])
    }
  }

  /// Notes the checksum of another client. Returns `false` if the own one is another.
  func agrees(_ checksum: UInt64, at position: Int) -> Bool {
    content.withLock { content in
      if let own = content.own[position] { return own == checksum }
      guard position > content.own.keys.max() ?? -1 else { return true }
      // Two that differ are enough.
      if content.others.count < Self.kept || content.others[position] != nil, content.others[position]?.count ?? 0 < 2 {
        content.others[position, default: []].insert(checksum)
      }
      return true
    }
  }
}
