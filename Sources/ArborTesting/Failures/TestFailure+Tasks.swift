internal import Arbor

/// The failures of effects, of activities, and at the end.
extension TestFailure {
  static func tasksRunning(_ tasks: [InspectedTask]) -> TestFailure {
    TestFailure(
      summary: "\(count(tasks, "effect or task is", "effects or tasks are")) running at the end.",
      expected: "all have ended",
      happened: list(tasks.map(\.textWithPlace)),
      fix:
        "let each come to its end (by moving its clock on, or by what it waits for), cancel it in the test as the program would, or "
        + "skip it with `await store.skipRunningEffects()`."
    )
  }

  static func skippedTasks(_ tasks: [InspectedTask]) -> TestFailure {
    TestFailure(
      summary: "\(count(tasks, "effect or task was", "effects or tasks were")) cancelled at the end.",
      happened: list(tasks.map(\.textWithPlace)),
      fix: "let each come to its end, or set the exhaustivity to `.off`, which does not tell.",
      severity: .warning
    )
  }

  static func skippedActivities(_ activities: [String]) -> TestFailure {
    TestFailure(
      summary: "\(count(activities, "activity was", "activities were")) emitted that the test does not receive.",
      happened: list(activities),
      fix:
        "receive them with `await store.receive(activity: …)`, or set the exhaustivity to `.off`, which does not tell.",
      severity: .warning
    )
  }

  static func tasksElsewhere(_ tasks: [InspectedTask], after timeout: Duration) -> TestFailure {
    TestFailure(
      summary: "\(count(tasks, "effect or task has", "effects or tasks have")) not come back.",
      expected: "what has left the executor comes back within \(max(timeout, .zero))",
      happened: list(tasks.map(\.textWithPlace)),
      fix:
        "let what it waits for happen in the test, use a clock that the test moves, or allow it more time with `timeout:`."
    )
  }

  /// - Parameter stateEffect: The name of the failed state effect; nil for the effect of an action.
  static func effectFailed(
    key: (any Sendable)?,
    action: String?,
    stateEffect: String?,
    _ error: any Error
  ) -> TestFailure {
    let name = key.map { "The effect \(ActionText.of($0))" } ?? "An effect"
    return TestFailure(
      summary: "\(name) has thrown an error that nobody handles.",
      expected: "an effect that turns its errors into actions, or an `onEffectError:` that takes them",
      happened: Confidentiality.description(of: error)
        + (action.map { ", in the effect that \($0) has set off" } ?? stateEffect.map { ", in \($0)" } ?? ""),
      fix: "catch the error in the effect, or give the test store an `onEffectError:`."
    )
  }

  static func otherActivity(than wanted: String, _ happened: [String]) -> TestFailure {
    TestFailure(
      summary: "\(wanted) was not the next activity.",
      expected: wanted,
      happened: "emitted, in this order:\n\(list(happened))",
      fix: "receive the activities in the order in which they were emitted, or mend what emits them."
    )
  }

  /// - Parameter held: The actions that it may be waiting for.
  static func noActivity(_ wanted: String, held: [String]) -> TestFailure {
    TestFailure(
      summary: "\(wanted) was not heard.",
      expected: wanted,
      happened: held.isEmpty
        ? "no activity was emitted"
        : "no activity was heard; what is emitted waits behind the actions that are held:\n\(list(held))",
      fix: held.isEmpty ? "emit it, or do not receive it." : "receive these actions first."
    )
  }

  static func activitiesUnseen(_ activities: [String]) -> TestFailure {
    TestFailure(
      summary: "\(count(activities, "activity was", "activities were")) not received.",
      expected: "all activities are seen by the test",
      happened: "emitted, in this order:\n\(list(activities))",
      fix: "receive them with `await store.receive(activity: …)`."
    )
  }

  /// - Parameter left: The remaining actions and tasks.
  static func neverFinished(left: [String]) -> TestFailure {
    TestFailure(
      summary: "A test store was released and never finished.",
      expected: "`finish()` at the end of the test, which asserts that nothing is left",
      happened: released("the test store that is made here was released without it", left),
      fix: "call `await store.finish()` at the end of the test."
    )
  }

  static func usedAfterEnd(left: [String]) -> TestFailure {
    TestFailure(
      summary: "A test store was used after its end, and released.",
      expected: "`finish()` as the last call",
      happened: released("this call came behind it", left),
      fix: "call `await store.finish()` behind it, and only there."
    )
  }

  private static func released(_ what: String, _ left: [String]) -> String {
    left.isEmpty ? what : "\(what); what was left:\n\(list(left))"
  }

  static func clockThatNeverRests(after limit: Int, sleepers: Int) -> TestFailure {
    TestFailure(
      summary: "The clock was moved on \(limit) times, and still somebody sleeps on it.",
      expected: "nobody sleeps any more",
      happened: "\(sleepers) asleep, of which one at least goes to sleep again and again",
      fix: "cancel what repeats itself before, or move the clock by a time: `clock.advance(by: …)`."
    )
  }
}

extension InspectedTask {
  /// The task's name, and the action that started it.
  var text: String {
    let name = key.map { " \(ActionText.of($0))" } ?? ""
    guard isEffect else { return "the task\(key == nil ? " without a key" : name), started by a store" }
    let cause = cause.map { "\(ActionText.of($0))" } ?? stateEffect?.name ?? "the state"
    return "the effect\(key == nil ? " without a key" : name), set off by \(cause)"
  }

  /// The task's name, the action that started it, and the event it is waiting for.
  var textWithPlace: String {
    switch (hasBegun, isAsleep) {
    case (false, _): "\(text): waits for its turn or its time"
    case (true, true): "\(text): sleeps on a clock that the test moves"
    case (true, false): "\(text): is elsewhere, with another actor, a callback, or real time"
    }
  }
}
