internal import Arbor
internal import ArborDiff

/// The text of an action or another value in a failure or a transcript: equal for equal values, limited in length, and
/// on one line.
enum ActionText {
  static func of(_ action: any Sendable) -> String {
    oneLine(ValueText.of(action, limits: StateDiffLimits()))
  }

  /// The text of the actions of a step.
  static func of(batch actions: [any Sendable]) -> String {
    guard actions.count != 1 else { return of(actions[0]) }
    guard !actions.isEmpty else { return "the empty batch" }
    return "the batch \(actions.map(of).joined(separator: ", "))"
  }

  /// A text with escaped control characters, so that no value looks like several lines.
  static func oneLine(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    return text.unicodeScalars.reduce(into: "") { line, scalar in
      if isControl(scalar) { line += scalar.escaped(asASCII: true) } else { line.unicodeScalars.append(scalar) }
    }
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}

extension ActionOutcome {
  /// The outcome of an action, as a suffix to its text; empty if it simply reached the reducers.
  var text: String {
    switch self {
    case .reduced: ""
    case .replaced(let other): ", replaced by \(ActionText.of(other))"
    case .dropped: ", dropped"
    case .held: ", held by an interceptor"
    case .revoked: ", revoked"
    case .failed: ", failed"
    }
  }
}
