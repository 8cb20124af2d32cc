internal import Arbor

/// The failures of effects, of activities, and at the end.
extension TestFailure {
  static func tasksRunning(_ tasks: [InspectedTask]) -> TestFailure {
    TestFailure(
      summary: "\(count(tasks, "effect or task is", "effects or tasks are")) running at the end.",
      expected: "all of them have ended",
      happened: list(tasks.map(\.textWithPlace)),
      fix:
        "end each of them (advance its clock, or trigger the event that it waits for), cancel it in the test as the program would, or "
        + "skip it with `await store.skipRunningEffects()`."
    )
  }

  static func skippedTasks(_ tasks: [InspectedTask]) -> TestFailure {
    TestFailure(
      summary: "\(count(tasks, "effect or task was", "effects or tasks were")) cancelled at the end.",
      happened: list(tasks.map(\.textWithPlace)),
      fix: "end each of them in the test, or set the exhaustivity to `.off`, which doesn't report it.",
      severity: .warning
    )
  }

  static func skippedActivities(_ activities: [String]) -> TestFailure {
    TestFailure(
      summary: "\(count(activities, "activity was", "activities were")) emitted and not received by the test.",
      happened: list(activities),
      fix:
        "receive them with `await store.receive(activity: …)`, or set the exhaustivity to `.off`, which doesn't report it.",
      severity: .warning
    )
  }

  static func tasksElsewhere(_ tasks: [InspectedTask], after timeout: Duration) -> TestFailure {
    TestFailure(
      summary: "\(count(tasks, "effect or task has", "effects or tasks have")) not returned.",
      expected: "work that has left the executor returns within \(max(timeout, .zero))",
      happened: list(tasks.map(\.textWithPlace)),
      fix:
        "make the event that it waits for happen in the test, use a clock that the test advances, or allow it more time with `timeout:`."
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
      summary: "\(name) threw an error that no code handles.",
      expected: "an effect that turns its errors into actions, or an `onEffectError:` that handles them",
      happened: Confidentiality.description(of: error)
        + (action.map { ", in the effect that \($0) started" } ?? stateEffect.map { ", in \($0)" } ?? ""),
      fix: "catch the error in the effect, or give the test store an `onEffectError:`."
    )
  }

  static func otherActivity(than wanted: String, _ happened: [String]) -> TestFailure {
    TestFailure(
      summary: "\(wanted) was not the next activity.",
      expected: wanted,
      happened: "emitted, in this order:\n\(list(happened))",
      fix: "receive the activities in the order in which they were emitted, or fix the code that emits them."
    )
  }

  /// - Parameter held: The actions that it may be waiting for.
  static func noActivity(_ wanted: String, held: [String]) -> TestFailure {
    TestFailure(
      summary: "\(wanted) was not received.",
      expected: wanted,
      happened: held.isEmpty
        ? "no activity was emitted"
        : "no activity was received; activities wait until these held actions are reduced:\n\(list(held))",
      fix: held.isEmpty ? "emit it, or do not receive it." : "receive these actions first."
    )
  }

  static func activitiesUnseen(_ activities: [String]) -> TestFailure {
    TestFailure(
      summary: "\(count(activities, "activity was", "activities were")) not received.",
      expected: "the test receives all activities",
      happened: "emitted, in this order:\n\(list(activities))",
      fix: "receive them with `await store.receive(activity: …)`."
    )
  }

  /// - Parameter left: The remaining actions and tasks.
  static func neverFinished(left: [String]) -> TestFailure {
    TestFailure(
      summary: "A test store was released without a call of `finish()`.",
      expected: "`finish()` at the end of the test, which asserts that nothing is left",
      happened: released("the test store made here was released without it", left),
      fix: "call `await store.finish()` at the end of the test."
    )
  }

  static func usedAfterEnd(left: [String]) -> TestFailure {
    TestFailure(
      summary: "A test store was used after `finish()`, and then released.",
      expected: "`finish()` as the last call",
      happened: released("this call came after it", left),
      fix: "call `await store.finish()` after this call, and only there."
    )
  }

  private static func released(_ what: String, _ left: [String]) -> String {
    left.isEmpty ? what : "\(what); still there:\n\(list(left))"
  }

  static func clockThatNeverRests(after limit: Int, sleepers: Int) -> TestFailure {
    TestFailure(
      summary: "The clock was advanced \(limit) times, and code still sleeps on it.",
      expected: "no code sleeps on it anymore",
      happened: "\(sleepers) asleep, and at least one of them goes to sleep again and again",
      fix: "cancel repeating work first, or advance the clock by a duration: `clock.advance(by: …)`."
    )
  }
}

extension InspectedTask {
  /// The task's name, and the action that started it.
  var text: String {
    let name = key.map { " \(ActionText.of($0))" } ?? ""
    guard isEffect else { return "the task\(key == nil ? " without a key" : name), started by a store" }
    let cause = cause.map { "\(ActionText.of($0))" } ?? stateEffect?.name ?? "the state"
    return "the effect\(key == nil ? " without a key" : name), started by \(cause)"
  }

  /// The task's name, the action that started it, and the event it is waiting for.
  var textWithPlace: String {
    switch (hasBegun, isAsleep) {
    case (false, _): "\(text): waits for its turn or its time"
    case (true, true): "\(text): sleeps on a clock that the test advances"
    case (true, false): "\(text): runs elsewhere: on another actor, in a callback, or in real time"
    }
  }
}
