internal import ArborDiff

/// The failures of actions.
extension TestFailure {
  static func sendingWhileHeld(_ subject: String, held: [String]) -> TestFailure {
    TestFailure(
      summary: "\(subject) was sent while \(count(held, "action is", "actions are")) held.",
      expected: "the test receives all dispatched actions before it sends another",
      happened: "held, in this order:\n\(list(held))",
      fix: "receive them first, with `await store.receive(…)`, or set the exhaustivity to `.off`."
    )
  }

  static func waitingWhileHeld(_ held: [String]) -> TestFailure {
    TestFailure(
      summary:
        "After this call, code waited for a store while \(count(held, "action was", "actions were")) held.",
      expected: "the test receives all dispatched actions before code waits for them",
      happened: "these were reduced without being received:\n\(list(held))",
      fix:
        "receive them before a call that waits (`state`, `dispatchAndWait`, `commit`), or run the code that waits by "
        + "`await store.during { … } expect: { … }`."
    )
  }

  static func reducedUnasked(_ actions: [any Sendable]) -> TestFailure {
    let actions = actions.map(ActionText.of)
    return TestFailure(
      summary:
        "After this call, \(count(actions, "action was", "actions were")) reduced that the test neither sent nor received.",
      expected: "the test sends or receives every action",
      happened: "a waiting call (`dispatchAndWait`, `commit`) ran them, so they were not held:\n\(list(actions))",
      fix:
        "run the waiting code in `await store.during { … } expect: { … }`, or dispatch them without waiting and receive "
        + "them."
    )
  }

  /// - Parameter waiting: The effects that are still running, and the actions that interceptors hold.
  static func neverSent(_ wanted: String, waiting: [String], fix: String) -> TestFailure {
    TestFailure(
      summary: "\(wanted) was not received.",
      expected: wanted,
      happened: waiting.isEmpty
        ? "no action is held, and no running effect could send one"
        : "no action is held; still running or waiting:\n\(list(waiting))",
      fix: fix
    )
  }

  static func otherAction(
    than wanted: String,
    _ happened: String,
    in store: String?,
    _ difference: StateDiff?,
    isHeldBehind: Bool
  ) -> TestFailure {
    let fix: String
    if store != nil {
      fix =
        "receive it on the test store of the store that it was dispatched to, or skip it with `await store.skipReceivedActions()`."
    } else if isHeldBehind {
      fix = "receive \(happened) first: \(wanted) is held after it."
    } else {
      fix = "expect \(happened), or fix the code that dispatches it."
    }
    return TestFailure(
      summary: "The next action is not \(wanted).",
      expected: wanted,
      happened: happened + (store.map { ", dispatched to \($0)" } ?? ""),
      differences: difference?.lines ?? [],
      fix: fix
    )
  }

  static func notReceived(_ actions: [String]) -> TestFailure {
    TestFailure(
      summary: "\(count(actions, "action was", "actions were")) not received.",
      expected: "no action is held at the end",
      happened: "held, in this order:\n\(list(actions))",
      fix: "receive them with `await store.receive(…)`, or skip them with `await store.skipReceivedActions()`."
    )
  }

  static func undecided(_ actions: [String]) -> TestFailure {
    TestFailure(
      summary: "\(count(actions, "action is", "actions are")) undecided at the end.",
      expected: "each action that an interceptor holds was passed, replaced or dropped",
      happened: "held by interceptors:\n\(list(actions))",
      fix: "trigger the decision in the test, as the program would, or decide with the token: `held.drop()`."
    )
  }

  static func skippedUndecided(_ actions: [String]) -> TestFailure {
    TestFailure(
      summary: "\(count(actions, "action was", "actions were")) undecided at the end.",
      happened: "held by interceptors:\n\(list(actions))",
      fix: "decide each with its token, or set the exhaustivity to `.off`, which doesn't report it.",
      severity: .warning
    )
  }

  static func skippedActions(_ actions: [String]) -> TestFailure {
    TestFailure(
      summary: "\(count(actions, "action was", "actions were")) received without an assertion of the test.",
      happened: list(actions),
      fix: "receive them with `await store.receive(…)`, or set the exhaustivity to `.off`, which doesn't report it.",
      severity: .warning
    )
  }

  /// - Parameter last: The last actions, if the actions are endless.
  static func endless(_ last: ArraySlice<String>) -> TestFailure {
    TestFailure(
      summary: "The store's work never ends.",
      expected: "actions that do not cause others endlessly, and effects that wait for something",
      happened: last.isEmpty ? "each step was followed by another one" : "the last actions were:\n\(list(Array(last)))",
      fix: "end the effect or the interceptor, or make it wait for a clock that the test advances."
    )
  }

  static func count(_ items: [some Any], _ one: String, _ many: String) -> String {
    "\(items.count) \(items.count == 1 ? one : many)"
  }

  /// One line for each item; if there are many, only for the first ones.
  static func list(_ items: [String]) -> String {
    let shown = 20
    let rest = items.count > shown ? ["and \(items.count - shown) more"] : []
    return (items.prefix(shown) + rest).joined(separator: "\n")
  }
}
