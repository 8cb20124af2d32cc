/// The activity of a shared store in which own actions have changed their place, as actions of others came before them: they
/// may have come out otherwise than they were shown. It comes also if nothing of theirs did, as at a start.
///
/// ```swift
/// for await rebase in shared.activities(of: Rebase<Board>.self) { print(rebase.before, rebase.after) }
/// ```
public struct Rebase<State: Sendable>: Sendable {
  /// The state that was shown before.
  public let before: State

  /// The state that is shown now.
  public let after: State

  /// The number of own actions that changed their place; those that the step has confirmed are among them.
  public let actions: Int

  /// Makes a rebase, for previews and tests of what shows it.
  ///
  /// - Parameters:
  ///   - before: The state that was shown before.
  ///   - after: The state that is shown now.
  ///   - actions: The number of own actions that changed their place.
  public init(before: State, after: State, actions: Int) {
    (self.before, self.after, self.actions) = (before, after, actions)
  }

}

/// The states that came of an own action.
public struct Confirmation<State: Sendable>: Sendable {
  /// The state that was shown first after the action, before it was confirmed.
  public let shown: State

  /// The confirmed state after the action.
  public let confirmed: State
}

/// The reason why the confirmation of an action was not waited for to its end.
public enum ConfirmationError: Error, Hashable, Sendable {
  /// The action was no step: an interceptor has dropped or held it, or its store has gone.
  case notReduced

  /// The action is shown and kept, and nothing is sent: the work with the log has stopped.
  case stopped(SyncStop)

  /// The store has gone. The action is kept in the outbox.
  case storeGone

  /// The waiting task was cancelled. The action goes on.
  case cancelled
}
