internal import Arbor

extension TestStore {
  /// Asserts that nothing is left: no held action, no running effect, and no activity that was not received.
  ///
  /// - Held actions include the ones that an interceptor holds.
  ///
  /// - Call it at the end of a test, on any test store of the tree. If a tree is released without this call, a failure
  ///   is recorded.
  /// - It waits for effects that have left the executor, up to the store's `timeout`.
  /// - The failure names the remaining actions, effects and activities. Then held actions are received, and effects are
  ///   canceled. If exhaustivity is `.off`, this isn't a failure, and they are named only with `showSkipped`.
  /// - Parameters:
  ///   - fileID: The file of the call, where a failure is recorded.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - isolation: The actor that makes the call.
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

  /// Cancels the running and waiting effects and tasks of the tree without asserting anything about them.
  ///
  /// - As with any canceled task, the actions that they have sent and that were not received yet are revoked.
  /// - Parameters:
  ///   - fileID: The file of the call, where a failure is recorded.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - isolation: The actor that makes the call.
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

  /// Runs all work that can run, and waits for effects that have left the executor until they end or sleep on a clock.
  ///
  /// - Call it before you move a clock, if an effect leaves the executor before it sleeps on the clock, for example for
  ///   the main actor.
  /// - If an effect is still away from the executor after the store's `timeout`, a failure is recorded, unless an
  ///   action is held by then.
  /// - Parameters:
  ///   - fileID: The file of the call, where a failure is recorded.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - isolation: The actor that makes the call.
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
