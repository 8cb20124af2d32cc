/// What is known of an action on its way, until it is told to the monitors.
@usableFromInline
struct ActionTrace {
  /// When it was accepted; nil if its times are not read.
  @usableFromInline let accepted: Duration?
  @usableFromInline var begun = Duration.zero
  @usableFromInline var intercepted = Duration.zero
  @usableFromInline var reduced = Duration.zero
  @usableFromInline var outcome = ActionOutcome.reduced
  @usableFromInline var states: [StateTransition] = []

  @inlinable
  init(accepted: Duration?) {
    self.accepted = accepted
  }

  /// Whether it was reduced, and that was a step.
  @inlinable
  var isStep: Bool {
    switch outcome {
    case .reduced, .replaced: true
    case .dropped, .revoked, .failed: false
    }
  }

  /// Its times; nil if they were not read.
  @usableFromInline
  func times(delivered: Duration) -> ActionTimes? {
    guard let accepted else { return nil }
    return ActionTimes(
      accepted: accepted,
      waited: begun - accepted,
      intercepted: intercepted - begun,
      reduced: max(reduced - intercepted, .zero),
      delivered: delivered
    )
  }
}
