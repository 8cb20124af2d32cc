import Arbor

/// A value that a thread has made and observes.
struct Follower {
  /// The subscription that keeps the observation.
  let subscription: StoreSubscription

  /// Checks at rest that the value matches the states, and that its observer received it.
  let check: @Sendable (_ outcome: Outcome) -> Void
}
