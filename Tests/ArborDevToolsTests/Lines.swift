import Arbor

/// A sink that keeps its input.
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
