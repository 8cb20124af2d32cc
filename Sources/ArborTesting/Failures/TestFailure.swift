internal import Arbor

/// A failure of a test: what is wrong, and how to put it right.
package struct TestFailure: Sendable, Hashable {
  /// The severity of a failure.
  package enum Severity: Sendable, Hashable {
    /// The test fails.
    case failure

    /// The test passes, and whoever reads its output is told.
    case warning
  }

  /// The problem in a sentence.
  package private(set) var summary: String

  /// The expectation of the test; empty if it had none.
  package let expected: String

  /// The event that came instead; empty if none did.
  package let happened: String

  /// The differences, a line each.
  package let differences: [String]

  /// The advice, in a sentence that goes on after "To fix this, ".
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
  /// All of it, as a reader sees it.
  ///
  /// - Its layout is stable: the summary, an empty line, then what was expected, what happened, the differences, and the fix.
  /// - Further lines of a value stand under its first one; what is empty is left out.
  package var text: String {
    let values = Self.lines(of: expected, after: "Expected: ") + Self.lines(of: happened, after: "Happened: ")
    let changes = differences.flatMap { Self.lines(of: $0, after: "  ") }
    return ([summary, ""] + values + changes + ["To fix this, \(fix)"]).joined(separator: "\n")
  }

  /// The same, with what its schedule was chosen from.
  func naming(_ seed: UInt64?) -> TestFailure {
    guard let seed else { return self }
    var failure = self
    failure.summary += " (With the steps of seed \(seed).)"
    return failure
  }

  /// Writes a warning where nobody records it.
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
