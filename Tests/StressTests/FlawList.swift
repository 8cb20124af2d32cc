import Arbor

/// The flaws that a round of the stress test has found, from any thread.
final class FlawList: Sendable {
  private let flaws = Protected<[String]>([])

  /// The first flaws; later ones are of no use.
  var all: [String] { flaws.withLock { $0 } }

  func note(_ flaw: String) {
    flaws.withLock { if $0.count < 12 { $0.append(flaw) } }
  }

  func expect(_ isKept: Bool, _ promise: @autoclosure () -> String) {
    if !isKept { note(promise()) }
  }
}
