/// An action of a simulation: a number, by which every place finds its reaction in the script.
struct SimulatedAction: Equatable, Sendable {
  let number: Int32

  /// An object that the engine must not keep longer than the action; nil in the model, and if read from a mutation.
  var object: ActionObject?

  /// The scopes that have embedded the action on its way up.
  var path: Int32 = 0

  /// The part of a state to which it belongs; nil if it belongs to the whole.
  var part: StatePart?

  /// The action as seen above a scope with its own type of actions.
  func embedded(in scope: Int) -> SimulatedAction {
    SimulatedAction(
      number: number, object: object, path: path &* 31 &+ Int32(truncatingIfNeeded: scope), part: part)
  }

  /// The action of the whole that contains this action of a part.
  func embedded(in part: StatePart) -> SimulatedAction {
    SimulatedAction(number: number, object: object, path: path, part: part)
  }

  /// The action of a part in this action; nil if it contains no such action.
  func extracted(from kind: StatePart.Kind) -> SimulatedAction? { part?.kind == kind ? inside : nil }

  /// The action as the feature of its part sees it.
  var inside: SimulatedAction { SimulatedAction(number: number, object: object, path: path) }

  static func == (left: SimulatedAction, right: SimulatedAction) -> Bool {
    (left.number, left.path, left.part) == (right.number, right.path, right.part)
  }

  /// A number that distinguishes the action from others with the same number.
  var digest: UInt64 {
    let part = part.map { UInt64($0.kind.rawValue) + 1 + UInt64($0.element ?? 0) << 8 } ?? 0
    return UInt64(UInt32(truncatingIfNeeded: path)) | part << 32
  }
}

/// The object in an action, of which the engine counts the instances.
final class ActionObject: Sendable {
  private weak let engine: Engine?

  init(in engine: Engine) {
    self.engine = engine
    engine.actions += 1
  }

  deinit { engine?.actions -= 1 }
}
