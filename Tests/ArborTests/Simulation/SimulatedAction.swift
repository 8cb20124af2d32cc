/// An action of a simulation. It brings along what interceptors and observers do when they meet it.
struct SimulatedAction: Sendable {
  let number: Int
  let reactions: [Reaction]

  /// The scopes that have embedded the action on its way up, the first one first.
  var path: [Int] = []

  /// The action as the reducers see it above a scope with its own type of actions.
  func embedded(in scope: Int) -> SimulatedAction {
    var embedded = self
    embedded.path.append(scope)
    return embedded
  }
}
