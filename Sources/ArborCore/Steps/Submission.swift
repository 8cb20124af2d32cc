/// A submission to a node: everything that is sent except plain single actions; see ``ActionSink/dispatch``.
@usableFromInline
package enum Submission<Action: Sendable>: Sendable {
  /// Actions that are reduced in one step; `completion`, if there is one, is called after it.
  case batch([Action], completion: (@Sendable () -> Void)?)

  /// An action that isn't reduced if its sender is revoked before the reducers run.
  case revocable(Action, by: ActionSender)

  /// Actions that are reduced in one step, except for those whose sender is revoked before their reducers run.
  case revocableBatch([Action], by: ActionSender)

  /// An action whose step the calling thread waits for.
  case blocking(Action)

  /// Actions that are reduced in one step while the calling thread waits. If there is a condition, and it isn't met
  /// when their turn comes, they are ignored.
  case blockingBatch([Action], if: (@Sendable () -> Bool)? = nil)

  /// An action whose step a task waits for.
  case awaited(Action, AwaitedStep)

  /// The sender that can revoke the action; nil if there is none.
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

  /// Returns this submission with each action embedded in an action of another type.
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

/// The object that tracks the effects of an action for a caller that waits for them. Only the code that performs the
/// effects knows its type.
@usableFromInline
package typealias EffectTracker = any AnyObject & Sendable

/// Receives each error of an effect's task: the task's key, the action that started it, the error, and the cause of any
/// action that the error leads to.
@usableFromInline
package typealias EffectErrorHandler<Action: Sendable> =
  @Sendable (_ key: (any Hashable & Sendable)?, _ action: Action?, _ error: any Error, _ cause: ActionCause?) -> Void

/// A task's wait for the step of an action. It is an object, so that the stack frames of nested scopes stay small.
@usableFromInline
package final class AwaitedStep: Sendable {
  /// Tracks the effects of the action; nil if the task doesn't wait for them.
  @usableFromInline let effects: EffectTracker?

  /// Called on the tree's queue before the next action's turn, with `true` if this one was reduced.
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
