/// An interceptor's closure that receives the token of the action it holds. It is an object, so that it is released
/// between two entries, and never during a step.
@usableFromInline
package final class SavedStepReceiver {
  let receive: (SavedStepDecision) -> Void

  init(_ receive: @escaping (SavedStepDecision) -> Void) {
    self.receive = receive
  }
}

/// The decision about a held action. The first one counts. If it is released without a decision, it drops the action.
@usableFromInline
package final class SavedStepDecision: Sendable {
  enum Decision {
    /// The action, or another in its place, continues after everything already accepted.
    case goOn((any Sendable)?)
    case drop
  }

  private let address: NodeAddress

  /// The type of the action, for the report when a token is released without a decision.
  private let actionType: any Any.Type

  /// Carries out the decision. Nil after the decision, because the closure keeps the sender of the action alive.
  private let decide: Protected<(@Sendable (Decision) -> Void)?>

  init(of actionType: any Any.Type, at address: NodeAddress, decide: @escaping @Sendable (Decision) -> Void) {
    self.actionType = actionType
    self.address = address
    self.decide = Protected(decide)
  }

  /// Continues with the action, or with another in its place, unless a decision was made.
  package func resume(replacing replacement: @autoclosure () -> (any Sendable)? = nil) {
    if let decide = takeDecision() { decide(.goOn(replacement())) }
  }

  /// Drops the action, unless a decision was made.
  package func drop() {
    takeDecision()?(.drop)
  }

  /// Returns the closure that carries out the decision. Only the first caller gets it.
  private func takeDecision() -> (@Sendable (Decision) -> Void)? { decide.withLock { $0.take() } }

  deinit {
    guard let decide = takeDecision(), address.isOpen else { return }
    decide(.drop)
    address.reportUndecidedToken(of: actionType)
  }
}
