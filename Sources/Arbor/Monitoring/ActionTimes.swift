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
