internal import Arbor

extension TestStore {
  /// Asserts that nothing is left: no action that is held, by this store or by an interceptor, no effect that runs, no activity that was not received.
  ///
  /// - The last call of a test, on any test store of the tree. A tree that goes without it is a failure.
  /// - Effects that have left the executor are waited for, for the store's `timeout`.
  /// - Actions, effects and activities that are left are named, and done away with: held actions are received, effects cancelled.
  ///   With the exhaustivity `.off` they are no failure, and are named only with `showSkipped`.
  /// - Parameters:
  ///   - fileID: The file of the call, at which a failure is recorded.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - isolation: The actor on which the call is made.
  public func finish(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    isolation: isolated (any Actor)? = #isolation
  ) async {
    tree.begin(at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
    if tree.exhaustivity.isOn {
      tree.receiveHeld()
      _ = await tree.settle(until: { false })
      tree.receiveHeld()
    } else {
      tree.skipUnasserted()
    }
    tree.report(tree.undecidedActions, TestFailure.undecided, orWarn: TestFailure.skippedUndecided)
    tree.report(tree.tasks, TestFailure.tasksRunning, orWarn: TestFailure.skippedTasks)
    tree.cancelTasks()
    let activities = tree.recorder.takeActivities().map { ActionText.of($0.value) }
    tree.report(activities, TestFailure.activitiesUnseen, orWarn: TestFailure.skippedActivities)
    tree.finish()
  }

  /// Cancels the effects and tasks of the tree that run still, or wait, and asserts nothing of them.
  ///
  /// - As with any cancelled task, what they have sent and was not received yet is revoked.
  /// - Parameters:
  ///   - fileID: The file of the call, at which a failure is recorded.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - isolation: The actor on which the call is made.
  public func skipRunningEffects(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    isolation: isolated (any Actor)? = #isolation
  ) async {
    tree.begin(at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
    for task in tree.tasks { task.cancel() }
    tree.settle()
  }

  /// Runs all that can be run, and waits for effects that have left the executor until they have ended or sleep on a clock.
  ///
  /// - To be called before a clock is moved on which an effect sleeps that has come by the main actor, say.
  /// - An effect that is still elsewhere after the store's `timeout` is a failure, unless an action is held by then.
  /// - Parameters:
  ///   - fileID: The file of the call, at which a failure is recorded.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - isolation: The actor on which the call is made.
  public func settle(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    isolation: isolated (any Actor)? = #isolation
  ) async {
    tree.begin(at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
    let left = await tree.settle(until: { false })
    if !left.isEmpty { tree.record(.tasksElsewhere(left, after: tree.setup.timeout)) }
  }
}
