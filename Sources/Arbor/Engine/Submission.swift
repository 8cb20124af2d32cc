internal import Synchronization

/// A description of anything that is sent to a node, but for single actions for which nobody waits.
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

/// The state of a sender of actions: it may send still or not, and what it has sent is revoked or not.
///
/// - From any thread.
/// - The sender's `dispatch` and those of its actions that wait hold it: as long as it is there, something may come of it.
@usableFromInline
class ActionSender: @unchecked Sendable {  // The flags are atomic; see the subclasses for the rest.
  private let over = Atomic(false)
  private let revoked = Atomic(false)

  @usableFromInline
  init() {}

  /// `true` if it sends nothing any more.
  @usableFromInline
  final var isOver: Bool { over.load(ordering: .acquiring) }

  /// `true` if nothing of what it has sent is to be reduced.
  @usableFromInline
  final var isRevoked: Bool { revoked.load(ordering: .acquiring) }

  final func end() {
    over.store(true, ordering: .releasing)
  }

  final func revoke() {
    revoked.store(true, ordering: .releasing)
    end()
  }
}
