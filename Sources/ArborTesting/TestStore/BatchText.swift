/// The text of the actions of a step.
enum BatchText {
  static func of(_ actions: [any Sendable]) -> String {
    guard actions.count != 1 else { return ActionText.of(actions[0]) }
    guard !actions.isEmpty else { return "the empty batch" }
    return "the batch \(actions.map(ActionText.of).joined(separator: ", "))"
  }
}
