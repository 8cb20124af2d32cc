import Arbor

/// A sink that keeps what it is given.
final class Lines: Sendable {
  private let kept = Protected<[String]>([])

  var all: [String] { kept.withLock { $0 } }

  func removeAll() {
    kept.withLock { $0 = [] }
  }

  var sink: @Sendable (String) -> Void {
    { [self] line in kept.withLock { $0.append(line) } }
  }
}
