internal import Arbor
internal import ArborDiff

/// The failures of a state.
extension TestFailure {
  static func unexpectedChange(_ subject: String, _ difference: StateDiff) -> TestFailure {
    TestFailure(
      summary: "\(subject) changed the state, but no change was expected.",
      expected: "the state as it was",
      happened: difference.inWords,
      differences: difference.lines,
      fix: "assert the changes in a closure, or fix the reducer."
    )
  }

  static func unexpectedState(_ subject: String, _ difference: StateDiff, isExhaustive: Bool = true) -> TestFailure {
    TestFailure(
      summary: "The state after \(subject) is not the expected one.",
      expected: "the previous state, as the closure changes it",
      happened: difference.inWords,
      differences: difference.lines,
      fix: isExhaustive
        ? "make all changes of the reducers in the closure, or fix the reducers."
        : "set the values in the closure that the reducers set, or fix the reducers. The closure receives the state after the "
          + "reducers: set values, and don't add to existing ones."
    )
  }

  static func noChange(_ subject: String) -> TestFailure {
    TestFailure(
      summary: "\(subject) was expected to change the state, but the closure changes nothing.",
      expected: "a change",
      happened: "neither the reducers nor the closure changed the state",
      fix: "remove the closure."
    )
  }

  static func closureThrew(_ error: any Error, _ subject: String) -> TestFailure {
    TestFailure(
      summary: "The closure with the expectation for \(subject) threw an error.",
      expected: "the previous state, as the closure changes it",
      happened: Confidentiality.description(of: error),
      fix: "fix the closure, or the value that it unwraps."
    )
  }

  static func equalYetDifferent(_ subject: String, _ difference: StateDiff) -> TestFailure {
    TestFailure(
      summary: "The state after \(subject) equals the expected one by `==`, but differs from it.",
      expected: "equal states to have equal parts",
      happened: difference.inWords,
      differences: difference.lines,
      fix: "compare these parts in `==`, or ignore this if they do not matter: the test uses `==`.",
      severity: .warning
    )
  }

  static func skippedChanges(_ subject: String, _ difference: StateDiff) -> TestFailure {
    TestFailure(
      summary: "\(subject) changed more than the test asserts.",
      happened: difference.inWords,
      differences: difference.lines,
      fix: "assert these changes, too, or set the exhaustivity to `.off`, which doesn't report it.",
      severity: .warning
    )
  }
}

extension StateDiff {
  /// One line for each change.
  var lines: [String] {
    changes.map { ActionText.oneLine($0.description) } + remarks.map(ActionText.oneLine)
  }

  /// The differences in the parts; nil if the whole value differs.
  var inside: StateDiff? { changes.first?.path.isEmpty == true ? nil : self }

  fileprivate var inWords: String {
    guard !isEmpty else {
      return
        "a state that is unequal by `==`, although no visible part differs: another object, or a number that is NaN"
    }
    let count = isTruncated ? "more than \(changes.count)" : "\(changes.count)"
    return "\(count) \(changes.count == 1 && !isTruncated ? "part differs" : "parts differ"), expected → happened:"
  }
}
