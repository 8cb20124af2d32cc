import Arbor

/// Counts how often a value is read.
final class Looks: Sendable {
  private let looks = Protected(0)

  var count: Int { looks.withLock { $0 } }

  func add() {
    looks.withLock { $0 += 1 }
  }
}
