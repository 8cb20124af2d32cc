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
    let isOn = tree.exhaustivity.isOn
    if isOn {
      tree.settleHeld { tree.record(.notReceived($0)) }
      _ = await tree.settle(until: { false })
      tree.settleHeld { tree.record(.notReceived($0)) }
    } else {
      tree.skipUnasserted()
    }
    let tasks = tree.tasks
    if !tasks.isEmpty { tree.tell(.tasksRunning(tasks), .skippedTasks(tasks)) }
    tree.cancelTasks()
    let activities = tree.recorder.takeActivities().map { ActionText.of($0.value) }
    if !activities.isEmpty { tree.tell(.activitiesUnseen(activities), .skippedActivities(activities)) }
    tree.finish()
  }

  /// Cancels the effects and tasks of the tree that run still, or wait, and asserts nothing of them.
  ///
  /// - As with any cancelled task, what they have sent and was not received yet is revoked.
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
  public func settle(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    isolation: isolated (any Actor)? = #isolation
  ) async {
    tree.begin(at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
    let left = await tree.settle(until: { false })
    if !left.isEmpty { tree.record(.tasksElsewhere(left, after: tree.timeout)) }
  }
}

extension TestTree {
  /// Cancels all tasks, and those that come of them, and lets them end.
  func cancelTasks() {
    for _ in 0..<100 where !tasks.isEmpty || held != nil {
      for task in tasks { task.cancel() }
      settle()
      skipHeld()
    }
  }

  /// Records what is a failure if all must be accounted for, and else a warning if that is wanted.
  func tell(_ failure: TestFailure, _ warning: TestFailure) {
    if exhaustivity.isOn {
      record(failure)
    } else if exhaustivity.showsSkipped {
      record(warning)
    }
  }

  /// Tells of the actions that are held, and receives them.
  func settleHeld(_ tell: ([String]) -> Void) {
    guard held != nil else { return }
    tell(heldActions)
    skipHeld()
  }

  /// Receives all actions that are held, and tells of it if that is wanted.
  func skipUnasserted() {
    let skipped = skipHeld()
    if exhaustivity.showsSkipped, !skipped.isEmpty { record(.skippedActions(skipped)) }
  }

  /// Receives the next action.
  ///
  /// - Returns: Whether there may be others behind it: not if they have no end.
  func skipNext(_ entry: WaitingEntry) -> Bool {
    let actions = entry.actions.map(ActionText.of)
    guard countSkipped(actions) else { return false }
    runHeld(entry, as: .skipped)
    settle()
    if exhaustivity.showsSkipped { record(.skippedActions(actions)) }
    return true
  }

  /// Why an action does not come.
  ///
  /// - Parameter late: Those that were waited for in vain.
  func neverSent(_ wanted: String, late: [TrackedTask]) -> TestFailure {
    let tasks = tasks
    let fix: String
    if !late.isEmpty {
      fix =
        "let what the effect waits for happen in the test, or allow it more time than \(max(timeout, .zero)) with the test store's `timeout:`."
    } else if tasks.isEmpty {
      fix = "dispatch it in an effect, an interceptor or an observer, or do not receive it."
    } else {
      fix =
        hasClock
        ? "move the clock on before, `clock.advance(by: …)`, or do not receive it."
        : "move the clock on before that the effect waits for, `clock.advance(by: …)`: the test store was given none, by `clock:`, so its "
          + "time stands still."
    }
    return .neverSent(wanted, waiting: tasks.map(\.textWithPlace), fix: fix)
  }
}
