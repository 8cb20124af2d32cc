import Arbor

/// Lines in the order of arrival.
final class Log: Sendable {
  private let written = Protected<[String]>([])

  var lines: [String] { written.withLock { $0 } }

  func add(_ line: String) {
    written.withLock { $0.append(line) }
  }
}
