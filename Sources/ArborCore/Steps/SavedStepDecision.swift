/// The closure of an interceptor that receives the token of the action that it holds. An object, as it is released between
/// two entries, and never in the middle of a step.
@usableFromInline
package final class SavedStepReceiver {
  let receive: (SavedStepDecision) -> Void

  init(_ receive: @escaping (SavedStepDecision) -> Void) {
    self.receive = receive
  }
}

/// The decision about a held action, of which the first counts. Undecided when it is released, it drops the action.
@usableFromInline
package final class SavedStepDecision: Sendable {
  enum Decision {
    /// The action goes on, or another in its place, after everything accepted before.
    case goOn((any Sendable)?)
    case drop
  }

  private let address: NodeAddress

  /// The type of the action, for the report of a token that is released without a decision.
  private let actionType: any Any.Type

  /// Carries the decision out; nil once it is decided, as it keeps the sender of the action alive.
  private let decide: Protected<(@Sendable (Decision) -> Void)?>

  init(of actionType: any Any.Type, at address: NodeAddress, decide: @escaping @Sendable (Decision) -> Void) {
    self.actionType = actionType
    self.address = address
    self.decide = Protected(decide)
  }

  /// Lets the action go on, or another in its place, unless it is decided.
  package func resume(replacing replacement: @autoclosure () -> (any Sendable)? = nil) {
    if let decide = takeDecision() { decide(.goOn(replacement())) }
  }

  /// Drops the action, unless it is decided.
  package func drop() {
    takeDecision()?(.drop)
  }

  /// Returns the closure that carries the decision out: once, for the caller that may decide.
  private func takeDecision() -> (@Sendable (Decision) -> Void)? { decide.withLock { $0.take() } }

  deinit {
    guard let decide = takeDecision(), address.isOpen else { return }
    decide(.drop)
    address.reportUndecidedToken(of: actionType)
  }
}
