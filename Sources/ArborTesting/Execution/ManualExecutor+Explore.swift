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
  /// - The body fails if it throws, or if a test store, an executor or a clock in it finds a failure. What it finds is not recorded for each
  ///   schedule, but once, at the caller's line: with the seed, and with the shortest schedule that could be found under which the body
  ///   still fails.
  /// - Let conditions throw an error of your own: `guard store.state.isSorted else { throw Unsorted() }`. What a test library's own
  ///   assertions find (`#expect`, `#require`, `XCTAssert`) that library records itself, once for each schedule in which they fail.
  /// - The same seed gives the same schedules, as long as all that the body does is run by its executor.
  /// - Steps that are left in the executor when the body returns are run.
  /// - Parameters:
  ///   - schedules: The number of schedules; fewer are run if the body fails under one.
  ///   - seed: That of the first one; each other one's is one more.
  ///   - fileID: The file of the call, at which a failure is recorded.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - isolation: The actor on which the call is made.
  ///   - body: Is called with an executor of its own for each schedule.
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

  /// Runs the body as above.
  ///
  /// - Parameter patience: The time, in real time, for which a shorter schedule is searched.
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
      // A test that is cancelled fails under no schedule.
      guard !Task.isCancelled else { return }
      let shortest = await exploration.isRepeatable(choices) ? await exploration.shorten(choices) : nil
      TestRunner.record(.schedule(number + 1, of: schedules, seed: seed, choices: shortest, failure), at: place)
      return
    }
  }
}
