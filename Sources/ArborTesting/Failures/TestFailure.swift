internal import Arbor

/// A failure of a test: the problem and how to fix it.
package struct TestFailure: Sendable, Hashable {
  /// The severity of a failure.
  package enum Severity: Sendable, Hashable {
    /// The test fails.
    case failure

    /// The test passes, and a message is printed.
    case warning
  }

  /// The problem in a sentence.
  package private(set) var summary: String

  /// The expected event; empty if none was expected.
  package let expected: String

  /// The actual event; empty if there was none.
  package let happened: String

  /// The differences, one per line.
  package let differences: [String]

  /// The advice, as a continuation of "To fix this, ".
  package let fix: String
  package let severity: Severity

  /// Makes a failure, or a warning.
  package init(
    summary: String,
    expected: String = "",
    happened: String = "",
    differences: [String] = [],
    fix: String,
    severity: Severity = .failure
  ) {
    self.summary = summary
    self.expected = expected
    self.happened = happened
    self.differences = differences
    self.fix = fix
    self.severity = severity
  }
}

extension TestFailure {
  /// The full text of the failure.
  ///
  /// - Its layout is stable: the summary, an empty line, the expected and the actual event, the differences, and the
  ///   fix.
  /// - Further lines of a value are aligned with its first one. Empty parts are omitted.
  package var text: String {
    let values = Self.lines(of: expected, after: "Expected: ") + Self.lines(of: happened, after: "Happened: ")
    let changes = differences.flatMap { Self.lines(of: $0, after: "  ") }
    return ([summary, ""] + values + changes + ["To fix this, \(fix)"]).joined(separator: "\n")
  }

  /// Returns the failure with the seed of its schedule.
  func naming(_ seed: UInt64?) -> TestFailure {
    guard let seed else { return self }
    var failure = self
    failure.summary += " (With the steps of seed \(seed).)"
    return failure
  }

  /// Writes a warning to standard error, for when no test library records it.
  func writeToStandardError(at place: SourcePlace) {
    Platform.writeToStandardError("\(place): warning: \(text)")
  }

  private static func lines(of value: String, after label: String) -> [String] {
    guard !value.isEmpty else { return [] }
    let lines = value.split(separator: "\n", omittingEmptySubsequences: false)
    let margin = String(repeating: " ", count: label.count)
    return lines.enumerated().map { index, line in
      guard index > 0 else { return label + line }
      return line.isEmpty ? "" : margin + line
    }
  }
}
