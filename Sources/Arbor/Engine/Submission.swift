/// A submission to a node: everything that is sent except plain single actions, see ``ActionSink/dispatch``.
@usableFromInline
enum Submission<Action: Sendable>: Sendable {
  /// Actions that are reduced in one step; `completion`, if there is one, is called after it.
  case batch([Action], completion: (@Sendable () -> Void)?)

  /// An action that is not reduced if its sender is revoked before the reducers run.
  case revocable(Action, by: ActionSender)

  /// Actions that are reduced in one step, except for those before whose reducers the sender is revoked.
  case revocableBatch([Action], by: ActionSender)

  /// An action for whose step the calling thread waits.
  case waiting(Action)

  /// Actions that are reduced in one step, for which the calling thread waits. They are ignored if there is a condition
  /// that is not met in their turn.
  case waitingBatch([Action], if: (@Sendable () -> Bool)? = nil)

  /// An action for whose step a task waits.
  case awaited(Action, AwaitedStep)

  /// The sender by which the action can be revoked; nil if it cannot be.
  @inlinable var sender: ActionSender? {
    switch self {
    case .revocable(_, let sender), .revocableBatch(_, let sender): sender
    case .batch, .waiting, .waitingBatch, .awaited: nil
    }
  }

  /// The actions, if there are any and no caller waits for their step; otherwise nil.
  @inlinable var actionsWithoutWait: [Action]? {
    switch self {
    case .batch(let actions, nil), .revocableBatch(let actions, _): actions.isEmpty ? nil : actions
    case .revocable(let action, _): [action]
    case .batch, .waiting, .waitingBatch, .awaited: nil
    }
  }

  /// The same submission with each action embedded in an action of another type.
  @inlinable
  func map<Whole>(_ embed: (Action) -> Whole) -> Submission<Whole> {
    switch self {
    case .batch(let actions, let completion): .batch(actions.map(embed), completion: completion)
    case .revocable(let action, let sender): .revocable(embed(action), by: sender)
    case .revocableBatch(let actions, let sender): .revocableBatch(actions.map(embed), by: sender)
    case .waiting(let action): .waiting(embed(action))
    case .waitingBatch(let actions, let condition): .waitingBatch(actions.map(embed), if: condition)
    case .awaited(let action, let step): .awaited(embed(action), step)
    }
  }
}

/// The wait of a task for the step of an action. An object, so that the frames of nested scopes stay small.
@usableFromInline
final class AwaitedStep: Sendable {
  /// The group that the effects of the action join; nil if the task does not wait for them.
  @usableFromInline let effects: EffectGroup?

  /// Called on the tree's queue before any other action has its turn, with `true` if this one was reduced.
  @usableFromInline let didRun: (@Sendable (_ isReduced: Bool) -> Void)?

  /// Called after the step.
  @usableFromInline let completion: @Sendable () -> Void

  @usableFromInline
  init(
    effects: EffectGroup? = nil,
    didRun: (@Sendable (_ isReduced: Bool) -> Void)? = nil,
    completion: @escaping @Sendable () -> Void
  ) {
    self.effects = effects
    self.didRun = didRun
    self.completion = completion
  }
}

/// The state of a sender of actions: active, ended or revoked.
///
/// - A sender that has ended sends no more actions. If it is revoked, its actions that still wait are not reduced,
///   either.
/// - From any thread.
/// - The sender's `dispatch` and its waiting actions retain this object: while it lives, actions of the sender may
///   still be reduced.
@usableFromInline
class ActionSender: @unchecked Sendable {  // The flags are atomic; see the subclasses for the rest.
  private let over = AtomicFlag(false)
  private let revoked = AtomicFlag(false)

  /// The group that revokes the actions when it is cancelled. Retained for as long as there may be any.
  private let group: EffectGroup?

  /// The cause of its actions; nil if that is what runs where they are sent.
  @usableFromInline final let cause: ActionCause?

  @usableFromInline
  init(in group: EffectGroup?, causedBy cause: ActionCause? = nil) {
    self.group = group
    self.cause = cause
  }

  /// The declaration of the state effect that sends them; nil if another effect does, or none.
  final var stateEffect: StateEffectDeclaration? { group?.stateEffect }

  /// `true` if the sender can send no more actions.
  @usableFromInline
  final var isOver: Bool { over.load() }

  /// `true` if none of the sender's waiting actions is reduced any more.
  @usableFromInline
  final var isRevoked: Bool { revoked.load() }

  final func end() {
    over.store(true)
  }

  final func revoke() {
    revoked.store(true)
    end()
  }
}
