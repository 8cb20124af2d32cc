/// A store's own state before and after an action.
public struct StateTransition: Sendable {
  /// Whose state it is.
  public let store: MonitoredStore

  /// The state before the action's interceptors.
  public let before: any Sendable

  /// The state after its reducers, before its observers.
  public let after: any Sendable

  package init(store: MonitoredStore, before: any Sendable, after: any Sendable) {
    self.store = store
    self.before = before
    self.after = after
  }
}
