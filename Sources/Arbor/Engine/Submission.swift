/// What is sent to a node beside single actions for which nobody waits.
@usableFromInline
enum Submission<Action: Sendable>: Sendable {
  /// Actions that are reduced in one step.
  case batch([Action])

  /// An action that is not reduced if its sender revokes it before its turn.
  case revocable(Action, by: ActionSender)

  /// An action for whose step the calling thread waits.
  case waiting(Action)

  /// An action for whose step a task waits, and perhaps for the effects that it sets off.
  case awaited(Action, effects: EffectGroup?, completion: @Sendable () -> Void)

  /// The same for actions that are made of these.
  @inlinable
  func map<Whole>(_ embed: (Action) -> Whole) -> Submission<Whole> {
    switch self {
    case .batch(let actions): .batch(actions.map(embed))
    case .revocable(let action, let sender): .revocable(embed(action), by: sender)
    case .waiting(let action): .waiting(embed(action))
    case .awaited(let action, let effects, let completion):
      .awaited(embed(action), effects: effects, completion: completion)
    }
  }
}
