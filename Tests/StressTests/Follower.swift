import Arbor

/// A value that a thread has made and observes.
struct Follower {
  /// The subscription that keeps it going.
  let subscription: StoreSubscription

  /// Checks at rest that the value is what the states say, and that its observer was told so.
  let check: @Sendable (_ outcome: Outcome) -> Void
}
