internal import Arbor

extension Recording where State: Equatable {
  /// Writes a test of a `TestStore` that does what was recorded, from the ``base`` to the ``position``.
  ///
  /// ```swift
  /// print(try recording.testSource(named: "adds and saves", store: "TestStore(initialState: …, feature: listFeature)"))
  /// ```
  ///
  /// - An action from outside is sent, any other is received, and the closures assign what each has changed. Actions that
  ///   are left out, or were dropped, are not in it. An action that an interceptor holds changes nothing, and is received
  ///   when it goes on.
  /// - A test store runs what an action has set off as early as it can. Where an action came from outside while effects
  ///   still ran, the test fails: receive these before, or move the clock.
  /// - Parameters:
  ///   - name: The name of the test, which is put into backticks if it is no plain name of a function.
  ///   - makeStore: The expression that makes the store, on one line; `…` stands for the initial state.
  ///   - wholeTypes: The types whose properties the test cannot assign one by one.
  ///   - redactions: More rules for what the test does not show, beside the ``redactions``. What stands in a value's place
  ///     is written as the value. Nothing stands in the place of a confidential value, so that it cannot be written.
  /// - Returns: A function of a suite.
  /// - Throws: ``SwiftSourceError`` for what cannot be written as Swift: a name that no function can have, values,
  ///   actions of stores below the root, changes that cannot be made again, and states that no test can compare, because
  ///   they are not equal to themselves: those with a NaN.
  public func testSource(
    named name: String,
    store makeStore: String = "TestStore(initialState: …, feature: feature)",
    assigningWhole wholeTypes: [Any.Type] = [],
    redacting redactions: [Redaction<State, Action>] = []
  ) throws -> String {
    let rules = RedactionRules(self.redactions + redactions)
    var source = TestSource<State, Action>(name: name, initialState: rules.redacted(state: base))
    source.makeStore = makeStore
    source.wholeTypes = wholeTypes
    source.showsPast = rules.isEmpty
    var state = base
    var batch: [Action] = []
    for entry in entries.prefix(position) {
      reduce(entry, &state)
      guard state == state else {
        throw SwiftSourceError(at: "the state behind action \(entry.id)", "it is not equal to itself, as with a NaN")
      }
      let isHeld = if case .held = entry.outcome { true } else { false }
      let isHeldBelow = isHeld && entry.store.map { children[$0] != nil } == true
      let isBelowRoot = isHeldBelow || !entry.reducingStores.isEmpty
      guard entry.isSkipped || !(entry.isBarrier || isBelowRoot || entry.isShownFromFile) else {
        let reason =
          entry.isBarrier || !isBelowRoot
          ? "nobody can make its change again" : "it belongs to a store below the root"
        throw SwiftSourceError(at: "action \(entry.id)", reason)
      }
      if !entry.isSkipped, isHeld || entry.rootAction != nil, let action = entry.action as? Action ?? entry.rootAction {
        batch.append(rules.redacted(action: action))
      }
      guard entry.isLastOfStep, !batch.isEmpty else { continue }
      let origin = entry.cause.kind == .outside ? TestStepOrigin.sent : .received
      let shown = rules.redacted(state: state)
      source.steps.append(
        batch.count == 1 ? TestSource.Step(origin, batch[0], state: shown) : .init(origin, batch: batch, state: shown)
      )
      batch = []
    }
    return try source.function()
  }
}
