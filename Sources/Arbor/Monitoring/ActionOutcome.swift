/// How an action came out.
public enum ActionOutcome: Sendable {
  /// It was reduced as it was dispatched.
  case reduced

  /// An interceptor has put another action in its place, which was reduced there and above. Of several, the last one.
  case replaced(by: any Sendable)

  /// An interceptor has dropped it: there was no step.
  case dropped

  /// The task that has sent it was cancelled: there was no step.
  case revoked

  /// It was a commit that has thrown, or for whose part there was no state: there was no step.
  case failed
}

/// When an action was accepted, and how long its way took; on the tree's clock.
public struct ActionTimes: Sendable, Hashable, Codable {
  /// When it was accepted, since the tree was made.
  public let accepted: Duration

  /// From then until its turn came.
  public let waited: Duration

  /// How long the interceptors took, its own store's and all above.
  public let intercepted: Duration

  /// How long the reducers took; zero if it did not come to them.
  public let reduced: Duration

  /// How long the observers on the store's queue took; those of a batch are called for its last action, and for the others it
  /// is zero.
  public let delivered: Duration

  package init(
    accepted: Duration,
    waited: Duration,
    intercepted: Duration,
    reduced: Duration,
    delivered: Duration
  ) {
    self.accepted = accepted
    self.waited = waited
    self.intercepted = intercepted
    self.reduced = reduced
    self.delivered = delivered
  }
}

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
