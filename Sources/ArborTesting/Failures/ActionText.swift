internal import ArborDiff

/// The text of an action, or of another value, in a failure or a transcript: the same for equal ones, bounded, and one line.
enum ActionText {
  static func of(_ action: any Sendable) -> String {
    oneLine(ValueText.of(action, limits: StateDiffLimits()))
  }

  /// A text whose control characters are written out, so that no value looks like several lines.
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
