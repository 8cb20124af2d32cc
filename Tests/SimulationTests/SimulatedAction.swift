/// An action of a simulation: a number, by which everybody finds out in its script what to do about it.
struct SimulatedAction: Equatable, Sendable {
  let number: Int32

  /// What the engine must not keep for longer than the action; nil in the model, and of what was read from a mutation.
  var object: ActionObject?

  /// The scopes that have embedded the action on its way up.
  var path: Int32 = 0

  /// The part of a state to which it belongs; nil if it belongs to the whole.
  var part: StatePart?

  /// The action as it is above a scope with its own type of actions.
  func embedded(in scope: Int) -> SimulatedAction {
    SimulatedAction(
      number: number, object: object, path: path &* 31 &+ Int32(truncatingIfNeeded: scope), part: part)
  }

  /// The action of the whole that contains this one of a part.
  func embedded(in part: StatePart) -> SimulatedAction {
    SimulatedAction(number: number, object: object, path: path, part: part)
  }

  /// The action of a part that this one contains; nil if it contains none of such a part.
  func extracted(from kind: StatePart.Kind) -> SimulatedAction? { part?.kind == kind ? inside : nil }

  /// The action as the feature of its part sees it.
  var inside: SimulatedAction { SimulatedAction(number: number, object: object, path: path) }

  static func == (left: SimulatedAction, right: SimulatedAction) -> Bool {
    (left.number, left.path, left.part) == (right.number, right.path, right.part)
  }

  /// What tells the action from others of its number.
  var digest: UInt64 {
    let part = part.map { UInt64($0.kind.rawValue) + 1 + UInt64($0.element ?? 0) << 8 } ?? 0
    return UInt64(UInt32(truncatingIfNeeded: path)) | part << 32
  }
}

/// The part of an action that is an object: the engine counts how many there are.
final class ActionObject: Sendable {
  private weak let engine: Engine?

  init(in engine: Engine) {
    self.engine = engine
    engine.actions += 1
  }

  deinit { engine?.actions -= 1 }
}
