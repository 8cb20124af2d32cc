internal import Arbor

/// Skipping work that the test does not mention.
extension TestTree {
  /// Receives all held actions, and the actions that they cause.
  ///
  /// - Returns: The texts of the actions.
  @discardableResult
  func skipHeld() -> [String] {
    var skipped: [String] = []
    while let entry = held, let actions = skip(entry) { skipped += actions }
    return skipped
  }

  /// Cancels all tasks, and the tasks that they cause, and lets them end.
  func cancelTasks() {
    for _ in 0..<100 where !tasks.isEmpty || held != nil {
      for task in tasks { task.cancel() }
      settle()
      skipHeld()
    }
  }

  /// Records a failure of items, if there are any and the test must account for everything; otherwise records a
  /// warning, if the test wants one.
  func report<Item>(
    _ items: [Item],
    _ failure: ([Item]) -> TestFailure,
    orWarn warning: ([Item]) -> TestFailure
  ) {
    guard !items.isEmpty else { return }
    if exhaustivity.isOn {
      record(failure(items))
    } else if exhaustivity.showsSkipped {
      record(warning(items))
    }
  }

  /// Reports the held actions, and receives them.
  func receiveHeld() {
    guard held != nil else { return }
    record(.notReceived(heldActions))
    skipHeld()
  }

  /// Receives all held actions, and reports them if the test wants that.
  func skipUnasserted() {
    let skipped = skipHeld()
    if exhaustivity.showsSkipped, !skipped.isEmpty { record(.skippedActions(skipped)) }
  }

  /// Receives the next action, and reports it if the test wants that.
  ///
  /// - Returns: `false` if the actions are endless. In that case it is not received.
  func skipNext(_ entry: WaitingEntry) -> Bool {
    guard let actions = skip(entry) else { return false }
    if exhaustivity.showsSkipped { record(.skippedActions(actions)) }
    return true
  }

  /// Receives the next action.
  ///
  /// - Returns: The texts of its actions; nil if the actions are endless and it was not received.
  private func skip(_ entry: WaitingEntry) -> [String]? {
    let actions = entry.actions.map(ActionText.of)
    guard countSkipped(actions) else { return nil }
    runHeld(entry, as: .skipped)
    settle()
    return actions
  }
}
