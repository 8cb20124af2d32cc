/// The activity that a shared store emits when other clients' actions come before its own waiting actions.
///
/// The waiting actions may now have other results than the ones shown before. The store also emits it if no result has
/// changed, for example at a start.
///
/// ```swift
/// for await rebase in shared.activities(of: Rebase<Board>.self) { print(rebase.before, rebase.after) }
/// ```
public struct Rebase<State: Sendable>: Sendable {
  /// The state that was shown before.
  public let before: State

  /// The state that is shown now.
  public let after: State

  /// The number of the client's own actions that now follow other clients' actions. It includes the ones that the step has
  /// confirmed.
  public let actions: Int

  /// Makes a rebase, for previews and tests.
  ///
  /// - Parameters:
  ///   - before: The state that was shown before.
  ///   - after: The state that is shown now.
  ///   - actions: The number of the client's own actions that now follow other clients' actions.
  public init(before: State, after: State, actions: Int) {
    (self.before, self.after, self.actions) = (before, after, actions)
  }

}

/// The states that resulted from one of the client's own actions.
public struct Confirmation<State: Sendable>: Sendable {
  /// The state after the action when it was first shown, before it was confirmed.
  public let shown: State

  /// The confirmed state after the action.
  public let confirmed: State
}

/// The reason why a call no longer waits for the confirmation of an action.
public enum ConfirmationError: Error, Hashable, Sendable {
  /// The action wasn't a step: an interceptor has dropped or held it, or its store is gone.
  case notReduced

  /// The action is shown and stored, but isn't sent, because syncing has stopped.
  case stopped(SyncStop)

  /// The store is gone. The action stays in the outbox.
  case storeGone

  /// The waiting task was canceled. The action will still be confirmed.
  case cancelled
}
