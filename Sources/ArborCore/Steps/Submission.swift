/// A submission to a node: everything that is sent except plain single actions, see ``ActionSink/dispatch``.
@usableFromInline
package enum Submission<Action: Sendable>: Sendable {
  /// Actions that are reduced in one step; `completion`, if there is one, is called after it.
  case batch([Action], completion: (@Sendable () -> Void)?)

  /// An action that is not reduced if its sender is revoked before the reducers run.
  case revocable(Action, by: ActionSender)

  /// Actions that are reduced in one step, except for those before whose reducers the sender is revoked.
  case revocableBatch([Action], by: ActionSender)

  /// An action for whose step the calling thread waits.
  case blocking(Action)

  /// Actions that are reduced in one step, for which the calling thread waits. They are ignored if there is a condition
  /// that is not met in their turn.
  case blockingBatch([Action], if: (@Sendable () -> Bool)? = nil)

  /// An action for whose step a task waits.
  case awaited(Action, AwaitedStep)

  /// The sender by which the action can be revoked; nil if it cannot be.
  @inlinable var sender: ActionSender? {
    switch self {
    case .revocable(_, let sender), .revocableBatch(_, let sender): sender
    case .batch, .blocking, .blockingBatch, .awaited: nil
    }
  }

  /// The actions, if there are any and no caller waits for their step; otherwise nil.
  @inlinable var actionsWithoutWait: [Action]? {
    switch self {
    case .batch(let actions, nil), .revocableBatch(let actions, _): actions.isEmpty ? nil : actions
    case .revocable(let action, _): [action]
    case .batch, .blocking, .blockingBatch, .awaited: nil
    }
  }

  /// The same submission with each action embedded in an action of another type.
  @inlinable
  func map<Whole>(_ embed: (Action) -> Whole) -> Submission<Whole> {
    switch self {
    case .batch(let actions, let completion): .batch(actions.map(embed), completion: completion)
    case .revocable(let action, let sender): .revocable(embed(action), by: sender)
    case .revocableBatch(let actions, let sender): .revocableBatch(actions.map(embed), by: sender)
    case .blocking(let action): .blocking(embed(action))
    case .blockingBatch(let actions, let condition): .blockingBatch(actions.map(embed), if: condition)
    case .awaited(let action, let step): .awaited(embed(action), step)
    }
  }
}

/// The object that tracks the effects of an action for a caller that waits for them. Only the code that
/// performs them knows its type.
@usableFromInline
package typealias EffectTracker = any AnyObject & Sendable

/// Receives each error of an effect's task: the task's key, the action that started it, the error, and the cause of what is
/// sent because of the error.
@usableFromInline
package typealias EffectErrorHandler<Action: Sendable> =
  @Sendable (_ key: (any Hashable & Sendable)?, _ action: Action?, _ error: any Error, _ cause: ActionCause?) -> Void

/// The wait of a task for the step of an action. An object, so that the frames of nested scopes stay small.
@usableFromInline
package final class AwaitedStep: Sendable {
  /// Tracks the effects of the action; nil if the task does not wait for them.
  @usableFromInline let effects: EffectTracker?

  /// Called on the tree's queue before any other action has its turn, with `true` if this one was reduced.
  @usableFromInline let didRun: (@Sendable (_ isReduced: Bool) -> Void)?

  /// Called after the step.
  @usableFromInline let completion: @Sendable () -> Void

  @usableFromInline
  package init(
    effects: EffectTracker? = nil,
    didRun: (@Sendable (_ isReduced: Bool) -> Void)? = nil,
    completion: @escaping @Sendable () -> Void
  ) {
    self.effects = effects
    self.didRun = didRun
    self.completion = completion
  }
}
