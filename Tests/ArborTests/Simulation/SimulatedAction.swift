/// An action of a simulation: a number, by which everybody finds out in its script what to do about it.
struct SimulatedAction: Equatable, Sendable {
  let number: Int32

  /// The scopes that have embedded the action on its way up.
  var path: Int32 = 0

  /// The action as it is above a scope with its own type of actions.
  func embedded(in scope: Int) -> SimulatedAction {
    SimulatedAction(number: number, path: path &* 31 &+ Int32(truncatingIfNeeded: scope))
  }
}
