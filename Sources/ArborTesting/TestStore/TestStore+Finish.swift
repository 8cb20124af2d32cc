internal import Arbor

extension TestStore {
  /// Asserts that nothing is left: no action that is held, no effect that runs, no activity that was not received.
  ///
  /// - The last call of a test, on any test store of the tree. A tree that goes without it is a failure.
  /// - Effects that have left the executor are waited for, for the store's `timeout`.
  /// - What is left is named, and done away with: actions are received, effects cancelled. With the exhaustivity `.off` that is no
  ///   failure.
  public func finish(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    isolation: isolated (any Actor)? = #isolation
  ) async {
    tree.begin(at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
    if tree.exhaustivity.isOn {
      _ = await tree.settle(until: { false })
      let held = tree.heldActions
      if !held.isEmpty { tree.record(.notReceived(held)) }
      let tasks = tree.tasks
      if !tasks.isEmpty { tree.record(.tasksRunning(tasks)) }
    }
    tree.skipUnasserted()
    tree.cancelTasks()
    tree.skipUnasserted()
    let activities = tree.recorder.takeActivities().map { ActionText.of($0.value) }
    if tree.exhaustivity.isOn, !activities.isEmpty { tree.record(.activitiesUnseen(activities)) }
    tree.finish()
  }

  /// Cancels the effects and tasks of the tree that run still, or wait, and asserts nothing of them.
  public func skipRunningEffects(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    isolation: isolated (any Actor)? = #isolation
  ) async {
    tree.begin(at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
    tree.cancelTasks()
  }
}

extension TestTree {
  /// Cancels all tasks, and lets them end.
  func cancelTasks() {
    for task in tasks { task.cancel() }
    settle()
  }

  /// Receives all actions that are held, and tells of it if that is wanted.
  func skipUnasserted() {
    let skipped = skipHeld()
    if exhaustivity.showsSkipped, !skipped.isEmpty { record(.skippedActions(skipped)) }
  }

  /// Receives the next action.
  func skipNext(_ entry: WaitingEntry) {
    runHeld(entry, as: .skipped)
    settle()
    if exhaustivity.showsSkipped { record(.skippedActions(entry.actions.map(ActionText.of))) }
  }

  /// Why an action does not come.
  ///
  /// - Parameter late: Those that were waited for in vain.
  func neverSent(_ wanted: String, late: [TrackedTask]) -> TestFailure {
    let tasks = tasks
    let fix: String
    if !late.isEmpty {
      fix =
        "let what the effect waits for happen in the test, or allow it more time than \(timeout) with the test store's `timeout:`."
    } else if tasks.isEmpty {
      fix = "dispatch it in an effect, an interceptor or an observer, or do not receive it."
    } else {
      fix = "move the clock on before, `clock.advance(by: …)`, or do not receive it."
    }
    return .neverSent(wanted, waiting: tasks.map(\.textWithPlace), fix: fix)
  }
}
