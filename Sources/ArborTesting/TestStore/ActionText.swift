internal import ArborDiff

/// The text of an action in a failure or a transcript: the same for equal actions, and bounded.
enum ActionText {
  static func of(_ action: any Sendable) -> String {
    ValueText.of(action, limits: StateDiffLimits())
  }
}
