/// What can be wrong with a schedule.
extension TestFailure {
  static func schedule(_ number: UInt64, of count: Int, seed: UInt64, choices: [Int], _ failure: String) -> TestFailure
  {
    TestFailure(
      summary: "The test fails under schedule \(number) of \(count), that of seed \(seed).",
      expected: "it passes under each",
      happened: failure,
      fix: choices.isEmpty
        ? "mend what fails in the usual order, too: `ManualExecutor()`."
        : "run it with `ManualExecutor(seed: \(seed))`, or with the shortest schedule that fails still, "
          + "`ManualExecutor(choices: \(choices))`, and mend what depends on the order."
    )
  }
}
