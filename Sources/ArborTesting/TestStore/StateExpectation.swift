internal import ArborDiff

/// Compares the state after an action with the expectation of a test, by a ``Verdict``.
struct StateExpectation<State: Equatable & Sendable> {
  /// The subject of the assertion, for a reader; called if there is a problem.
  let subject: () -> String
  let before: State
  let after: State
  let exhaustivity: Exhaustivity
  let layout: StateLayout<State>

  /// The problems; empty if the state is as expected.
  ///
  /// - Parameter change: Turns the previous state into the expected one; nil if the state must not change.
  func failures(_ change: ((inout State) throws -> Void)?) -> [TestFailure] {
    do {
      return exhaustivity.isOn ? try exhaustive(change) : try partial(change)
    } catch {
      return [.closureThrew(error, subject())]
    }
  }

  private func exhaustive(_ change: ((inout State) throws -> Void)?) throws -> [TestFailure] {
    guard let change else { return compare(with: before) { .unexpectedChange(subject(), $0) } }
    let expected = try changed(before, by: change)
    if expected == before, after == before, !layout.differs(expected, before) { return [.noChange(subject())] }
    return compare(with: expected) { .unexpectedState(subject(), $0) }
  }

  private func partial(_ change: ((inout State) throws -> Void)?) throws -> [TestFailure] {
    let expected = try change.map { try changed(before, by: $0) } ?? before
    if Verdict.areEqual(expected, after) { return [] }
    var failures: [TestFailure] = []
    if let change {
      let asserted = try changed(after, by: change)
      failures = compare(with: asserted) { .unexpectedState(subject(), $0, isExhaustive: false) }
    }
    if failures.isEmpty, exhaustivity.showsSkipped {
      failures = [.skippedChanges(subject(), Verdict.difference(from: expected, to: after))]
    }
    return failures
  }

  private func changed(_ state: State, by change: (inout State) throws -> Void) rethrows -> State {
    var state = state
    try change(&state)
    return state
  }

  private func compare(with expected: State, _ failure: (StateDiff) -> TestFailure) -> [TestFailure] {
    guard Verdict.areEqual(expected, after) else {
      return [failure(Verdict.difference(from: expected, to: after))]
    }
    guard layout.differs(expected, after) else { return [] }
    let difference = StateDiff(from: expected, to: after)
    return difference.isEmpty ? [] : [.equalYetDifferent(subject(), difference)]
  }
}
