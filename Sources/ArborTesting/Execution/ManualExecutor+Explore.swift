internal import Arbor

extension ManualExecutor {
  /// Runs the body of a test under many schedules, and reports the first one under which it fails.
  ///
  /// ```swift
  /// await ManualExecutor.explore(schedules: 200) { executor in
  ///   let store = TestStore(initialState: State(), effects: effects, executor: executor, reducer: reducer)
  ///   …
  ///   await store.finish()
  /// }
  /// ```
  ///
  /// - The body fails if it throws, or if a test store, an executor or a clock in it finds a failure. The failure is
  ///   not recorded for each schedule, but once, at the caller's line, with the seed and with the shortest failing
  ///   schedule that was found.
  /// - Throw your own errors for conditions: `guard store.state.isSorted else { throw Unsorted() }`. Assertions of a
  ///   test library (`#expect`, `#require`, `XCTAssert`) are recorded by that library, once for each schedule in which
  ///   they fail.
  /// - The same seed gives the same schedules, as long as the executor runs everything that the body does.
  /// - Steps that are left in the executor when the body returns are run.
  /// - Parameters:
  ///   - schedules: The number of schedules. Fewer are run if the body fails.
  ///   - seed: The seed of the first schedule; the seed of each further one is one higher.
  ///   - fileID: The file of the call, where a failure is recorded.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - isolation: The actor that makes the call.
  ///   - body: Called for each schedule, with a separate executor.
  public static func explore(
    schedules: Int,
    seed: UInt64 = 0,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    isolation: isolated (any Actor)? = #isolation,
    _ body: @escaping (_ executor: ManualExecutor) async throws -> Void
  ) async {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    await explore(schedules: schedules, seed: seed, patience: .seconds(10), at: place, body)
  }

  /// Runs the body of a test under many schedules, with a limit for the search.
  ///
  /// - Parameter patience: The time, in real time, to spend searching for a shorter schedule.
  package static func explore(
    schedules: Int,
    seed: UInt64 = 0,
    patience: Duration,
    at place: SourcePlace,
    isolation: isolated (any Actor)? = #isolation,
    _ body: @escaping (_ executor: ManualExecutor) async throws -> Void
  ) async {
    let exploration = Exploration(patience: patience, body)
    for number in 0..<UInt64(max(schedules, 0)) {
      let seed = seed &+ number
      guard let (failure, choices) = await exploration.failure(on: ManualExecutor(seed: seed)) else { continue }
      // A canceled test fails under no schedule.
      guard !Task.isCancelled else { return }
      let shortest = await exploration.isRepeatable(choices) ? await exploration.shorten(choices) : nil
      TestRunner.record(.schedule(number + 1, of: schedules, seed: seed, choices: shortest, failure), at: place)
      return
    }
  }
}

/// Runs the body of a test repeatedly, each time with another schedule.
private struct Exploration {
  /// The maximum number of runs of the body to find a shorter schedule.
  private static let shortenings = 500

  private static let unused =
    "the body didn't use its executor: pass it to the test store or the factory, `executor: executor`"

  /// The time, in real time, to spend searching for a shorter schedule.
  private let patience: Duration
  private let body: (ManualExecutor) async throws -> Void

  init(patience: Duration, _ body: @escaping (ManualExecutor) async throws -> Void) {
    self.patience = patience
    self.body = body
  }

  /// Runs the body.
  ///
  /// - Returns: The failure, and the choices of the schedule; nil if the body has not failed.
  func failure(
    on executor: ManualExecutor,
    isolation: isolated (any Actor)? = #isolation
  ) async -> (failure: String, choices: [Int])? {
    let (error, failures) = await TestRunner.catching { () async -> (any Error)? in
      defer { executor.run() }
      do {
        try await body(executor)
        return nil
      } catch {
        return error
      }
    }
    let found = failures.first { $0.failure.severity == .failure }
    let failure =
      error.map { Confidentiality.description(of: $0) }
      ?? found.map { "\($0.place.fileID):\($0.place.line): \($0.failure.text)" }
    guard let failure = failure ?? (executor.schedule.arrivals == 0 ? Exploration.unused : nil) else { return nil }
    return (failure, executor.choices)
  }

  /// `true` if a schedule fails again.
  func isRepeatable(_ choices: [Int], isolation: isolated (any Actor)? = #isolation) async -> Bool {
    await failure(on: ManualExecutor(choices: choices)) != nil
  }

  /// Finds a schedule with fewer choices, and fewer choices other than the first, under which the body still fails.
  func shorten(_ choices: [Int], isolation: isolated (any Actor)? = #isolation) async -> [Int] {
    var shortest = Exploration.trimmed(choices)
    let end = ContinuousClock.now + patience
    var runsLeft = Exploration.shortenings
    var length = max(shortest.count, 1)
    while length > 0, runsLeft > 0 {
      var start = 0
      while start < shortest.count, runsLeft > 0, ContinuousClock.now < end {
        let range = start..<min(start + length, shortest.count)
        if let shorter = await firstFailing(Exploration.shorter(shortest, without: range), &runsLeft) {
          shortest = shorter
        } else {
          start += length
        }
      }
      length /= 2
    }
    return shortest
  }

  private func firstFailing(
    _ candidates: [[Int]],
    _ runsLeft: inout Int,
    isolation: isolated (any Actor)? = #isolation
  ) async -> [Int]? {
    for candidate in candidates where runsLeft > 0 {
      runsLeft -= 1
      if await isRepeatable(candidate) { return candidate }
    }
    return nil
  }

  /// Variants of the choices: without a range of them, and with the first choice in their place.
  private static func shorter(_ choices: [Int], without range: Range<Int>) -> [[Int]] {
    var removed = choices
    removed.removeSubrange(range)
    var candidates = [trimmed(removed)]
    if choices[range].contains(where: { $0 != 0 }) {
      var zeroed = choices
      zeroed.replaceSubrange(range, with: repeatElement(0, count: range.count))
      candidates.append(trimmed(zeroed))
    }
    return candidates
  }

  /// Removes the choices at the end that would be made anyway.
  private static func trimmed(_ choices: [Int]) -> [Int] {
    Array(choices.prefix((choices.lastIndex { $0 != 0 } ?? -1) + 1))
  }
}

/// The failures of a schedule.
extension TestFailure {
  /// - Parameter choices: The shortest schedule found; nil if the test does not fail again with the same steps.
  fileprivate static func schedule(
    _ number: UInt64,
    of count: Int,
    seed: UInt64,
    choices: [Int]?,
    _ failure: String
  ) -> TestFailure {
    TestFailure(
      summary: "The test fails under schedule \(number) of \(count), with seed \(seed).",
      expected: "it passes under every schedule",
      happened: failure,
      fix: fix(seed, choices)
    )
  }

  private static func fix(_ seed: UInt64, _ choices: [Int]?) -> String {
    guard let choices else {
      return "run everything in the test on its executor: with the same steps, it does not fail again."
    }
    guard !choices.isEmpty else { return "fix the failure in the usual order first: `ManualExecutor()`." }
    return "run it with `ManualExecutor(seed: \(seed))`, or with the shortest failing schedule that was found, "
      + "`ManualExecutor(choices: \(choices))`, and remove the dependence on the order."
  }
}
