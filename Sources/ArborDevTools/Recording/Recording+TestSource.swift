internal import Arbor

extension Recording where State: Equatable {
  /// Returns the source of a test that repeats the recording with a `TestStore`, from the ``base`` to the ``position``.
  ///
  /// ```swift
  /// print(try recording.testSource(named: "adds and saves", store: "TestStore(initialState: …, feature: listFeature)"))
  /// ```
  ///
  /// - An action from outside is sent, and any other action is received. The closures assign the changes of each
  ///   action. Actions that are left out or were dropped aren't part of the test. An action that an interceptor holds
  ///   changes nothing, and is received when it continues.
  /// - A test store runs the consequences of an action as early as it can. If an action came from outside while effects
  ///   still ran, the test fails: receive their actions first, or advance the clock.
  /// - Parameters:
  ///   - name: The name of the test, which gets backticks if it isn't a plain function name.
  ///   - makeStore: The expression that makes the store, on one line; `…` stands for the initial state.
  ///   - wholeTypes: The types whose properties the test can't assign individually.
  ///   - redactions: Additional rules for data that the test must not show, applied after the ``redactions``. A
  ///     replacement is written like a value. A confidential value has no replacement, so it can't be written.
  /// - Returns: A function in a suite.
  /// - Throws: ``SwiftSourceError`` for anything that can't be written as Swift:
  ///   - a name that no function can have
  ///   - some values
  ///   - actions of stores below the root
  ///   - changes that can't be repeated
  ///   - states that no test can compare, because they contain a NaN and aren't equal to themselves
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
        let reason = "it isn't equal to itself, for example because it contains a NaN"
        throw SwiftSourceError(at: "the state after action \(entry.id)", reason)
      }
      let isHeld = if case .held = entry.outcome { true } else { false }
      let isHeldBelow = isHeld && entry.store.map { children[$0] != nil } == true
      let isBelowRoot = isHeldBelow || !entry.reducingStores.isEmpty
      guard entry.isSkipped || !(entry.isBarrier || isBelowRoot || entry.isShownFromFile) else {
        let reason =
          entry.isBarrier || !isBelowRoot
          ? "its change cannot be repeated" : "it belongs to a store below the root"
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
