import ArborTesting

extension TestFailure {
  /// A failure with all its parts, too long for any inline string.
  static let example = TestFailure(
    summary: "The state after “increment” is not what the test expected – it differs in one field.",
    expected: "Counter(count: 1)",
    happened: "Counter(count: 2)",
    differences: ["count: 1 → 2"],
    fix: "change the closure, or the reducer that counts twice."
  )

  /// The same failure as a warning.
  static let warning = TestFailure(
    summary: "Both states are equal and yet they differ.",
    differences: ["count: 1 → 2"],
    fix: "let == compare every field.",
    severity: .warning
  )
}
