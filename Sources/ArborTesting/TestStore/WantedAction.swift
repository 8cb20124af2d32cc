internal import ArborDiff

/// The action that a test wants to receive.
struct WantedAction<Action, Payload> {
  /// The description for a reader; asked for if it does not come.
  let text: () -> String

  /// The difference from another action; nil if it is no value.
  let difference: ((Action) -> StateDiff)?

  /// The payload of a step's actions; nil if they are not what is wanted.
  let payload: ([Action]) -> Payload?

  /// A single action.
  init(
    _ text: @escaping @autoclosure () -> String, extract: @escaping (Action) -> Payload?,
    difference: ((Action) -> StateDiff)? = nil
  ) {
    self.text = text
    self.difference = difference
    payload = { actions in actions.count == 1 ? extract(actions[0]) : nil }
  }

  /// A batch.
  init(batch text: @escaping @autoclosure () -> String, extract: @escaping ([Action]) -> Payload?) {
    self.text = text
    difference = nil
    payload = extract
  }
}
