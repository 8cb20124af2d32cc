public import Arbor

/// An action that a test store's tree has reduced, with a store's states around it.
public struct RecordedAction<State: Sendable>: Sendable {
  /// The action, as it was dispatched.
  public let action: any Sendable

  /// The outcome of the action.
  public let outcome: ActionOutcome

  /// The state before the action's interceptors.
  public let before: State

  /// The state after its reducers, before its observers.
  public let after: State
}
