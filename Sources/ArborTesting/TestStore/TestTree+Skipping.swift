internal import Arbor

/// Passing over what the test does not ask for.
extension TestTree {
  /// Lets all actions through that are held, and those that come of them.
  ///
  /// - Returns: Their texts.
  @discardableResult
  func skipHeld() -> [String] {
    var skipped: [String] = []
    while let entry = held {
      let actions = entry.actions.map(ActionText.of)
      guard countSkipped(actions) else { break }
      skipped += actions
      runHeld(entry, as: .skipped)
      settle()
    }
    return skipped
  }

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
  /// - Returns: `false` if the actions have no end; then it is not received.
  func skipNext(_ entry: WaitingEntry) -> Bool {
    let actions = entry.actions.map(ActionText.of)
    guard countSkipped(actions) else { return false }
    runHeld(entry, as: .skipped)
    settle()
    if exhaustivity.showsSkipped { record(.skippedActions(actions)) }
    return true
  }
}
