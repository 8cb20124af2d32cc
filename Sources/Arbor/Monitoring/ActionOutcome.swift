/// The outcome of an action.
public enum ActionOutcome: Sendable {
  /// The action was reduced as it was dispatched.
  case reduced

  /// An interceptor replaced the action. The associated value is the last replacement, which was reduced by the store
  /// of that interceptor and by its ancestors.
  case replaced(by: any Sendable)

  /// An interceptor dropped the action: there was no step.
  case dropped

  /// An interceptor held the action: there was no step. If it continues later, it has another outcome.
  case held

  /// The task that sent the action was canceled: there was no step.
  case revoked

  /// The action's mutation failed, because its closure threw or its optional part was nil: there was no step.
  case failed

  package init(_ reason: NoStepReason) {
    self =
      switch reason {
      case .dropped: .dropped
      case .saved: .held
      case .revoked: .revoked
      case .failed: .failed
      }
  }
}

/// The time when an action was accepted, and the durations of the parts of its step, on the tree's clock.
public struct ActionTimes: Sendable, Hashable, Codable {
  /// The time of acceptance, since the tree was made.
  public let accepted: Duration

  /// The time from acceptance to the beginning of the step.
  public let waited: Duration

  /// The time taken by the interceptors of the action's store and of all ancestors.
  public let intercepted: Duration

  /// The time taken by the reducers; zero if the action didn't reach them.
  public let reduced: Duration

  /// The time taken to request and perform effects, not including the work in tasks.
  public let performed: Duration

  /// The time taken by the observers on the store's queue. The observers of a batch are called for its last action; for
  /// the other actions, the time is zero.
  public let delivered: Duration

  package init(
    accepted: Duration,
    waited: Duration,
    intercepted: Duration,
    reduced: Duration,
    performed: Duration = .zero,
    delivered: Duration
  ) {
    self.accepted = accepted
    self.waited = waited
    self.intercepted = intercepted
    self.reduced = reduced
    self.performed = performed
    self.delivered = delivered
  }
}

/// A store's own state before and after an action.
public struct StateTransition: Sendable {
  /// The store that the state belongs to.
  public let store: MonitoredStore

  /// The state before the action's reducers.
  public let before: any Sendable

  /// The state after the action's reducers, before the observers.
  public let after: any Sendable

  package init(store: MonitoredStore, before: any Sendable, after: any Sendable) {
    self.store = store
    self.before = before
    self.after = after
  }
}
