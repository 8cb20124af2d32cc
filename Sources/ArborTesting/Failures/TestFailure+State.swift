internal import Arbor
internal import ArborDiff

/// The failures of a state.
extension TestFailure {
  static func unexpectedChange(_ subject: String, _ difference: StateDiff) -> TestFailure {
    TestFailure(
      summary: "\(subject) has changed the state, and no change was expected.",
      expected: "the state as it was",
      happened: difference.inWords,
      differences: difference.lines,
      fix: "say in a closure what changes, or mend the reducer."
    )
  }

  static func unexpectedState(_ subject: String, _ difference: StateDiff, isExhaustive: Bool = true) -> TestFailure {
    TestFailure(
      summary: "The state after \(subject) is not the expected one.",
      expected: "the state that the closure makes of the one before",
      happened: difference.inWords,
      differences: difference.lines,
      fix: isExhaustive
        ? "let the closure make all changes that the reducers make, or mend the reducers."
        : "set in the closure what the reducers set, or mend the reducers. The closure is given the state after them: set values, "
          + "and add nothing to what is there."
    )
  }

  static func noChange(_ subject: String) -> TestFailure {
    TestFailure(
      summary: "\(subject) was expected to change the state, and the closure changes nothing.",
      expected: "a change",
      happened: "the state is as it was, and as the closure leaves it",
      fix: "leave the closure out."
    )
  }

  static func closureThrew(_ error: any Error, _ subject: String) -> TestFailure {
    TestFailure(
      summary: "The closure that says what to expect of \(subject) has thrown an error.",
      expected: "the state that the closure makes of the one before",
      happened: Confidentiality.description(of: error),
      fix: "mend the closure, or what it unwraps."
    )
  }

  static func equalYetDifferent(_ subject: String, _ difference: StateDiff) -> TestFailure {
    TestFailure(
      summary: "The state after \(subject) equals the expected one, as `==` says, and yet differs from it.",
      expected: "equal states to have equal parts",
      happened: difference.inWords,
      differences: difference.lines,
      fix: "let `==` compare these parts, or leave it so if they do not matter: the test goes by `==`.",
      severity: .warning
    )
  }

  static func skippedChanges(_ subject: String, _ difference: StateDiff) -> TestFailure {
    TestFailure(
      summary: "\(subject) has changed more than the test asserts.",
      happened: difference.inWords,
      differences: difference.lines,
      fix: "assert these changes, too, or set the exhaustivity to `.off`, which does not tell.",
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
        "a state that `==` tells from it, though no part that can be seen differs: another object, or a number that is NaN"
    }
    let count = isTruncated ? "more than \(changes.count)" : "\(changes.count)"
    return "\(count) \(changes.count == 1 && !isTruncated ? "part differs" : "parts differ"), expected → happened:"
  }
}
