/// The failures of a schedule.
extension TestFailure {
  /// - Parameter choices: The shortest schedule that was found; nil if the test does not fail again with the same steps.
  static func schedule(_ number: UInt64, of count: Int, seed: UInt64, choices: [Int]?, _ failure: String) -> TestFailure
  {
    TestFailure(
      summary: "The test fails under schedule \(number) of \(count), that of seed \(seed).",
      expected: "it passes under each",
      happened: failure,
      fix: fix(seed, choices)
    )
  }

  private static func fix(_ seed: UInt64, _ choices: [Int]?) -> String {
    guard let choices else {
      return "let all that the test does be run by its executor: with the same steps it does not fail again."
    }
    guard !choices.isEmpty else { return "mend what fails in the usual order, too: `ManualExecutor()`." }
    return "run it with `ManualExecutor(seed: \(seed))`, or with the shortest schedule that was found to fail still, "
      + "`ManualExecutor(choices: \(choices))`, and mend what depends on the order."
  }
}
