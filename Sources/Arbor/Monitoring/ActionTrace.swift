/// What is known of an action on its way, until it is told to the monitors.
@usableFromInline
package struct ActionTrace {
  /// When it was accepted; if that was not read, no other time is.
  @usableFromInline package let accepted: TreeTime
  @usableFromInline package var begun = TreeTime.none
  @usableFromInline package var intercepted = TreeTime.none
  @usableFromInline package var reduced = TreeTime.none
  @usableFromInline package var announced = TreeTime.none
  @usableFromInline package var delivered = TreeTime.none
  @usableFromInline package var fate = Fate.reduced
  @usableFromInline package var isLastOfStep = true

  /// What only few have.
  @usableFromInline var details: ActionDetails?

  @usableFromInline
  package enum Fate {
    case reduced
    case dropped
    case revoked
    case failed
  }

  @inlinable
  package init(accepted: TreeTime) {
    self.accepted = accepted
  }

  var outcome: ActionOutcome {
    switch fate {
    case .reduced: details?.replacement.map { .replaced(by: $0) } ?? .reduced
    case .dropped: .dropped
    case .revoked: .revoked
    case .failed: .failed
    }
  }

  var times: ActionTimes? {
    guard accepted.isRead else { return nil }
    return ActionTimes(
      accepted: accepted.duration,
      waited: begun.since(accepted),
      intercepted: intercepted.since(begun),
      reduced: reduced.since(intercepted),
      delivered: delivered.since(announced)
    )
  }
}

extension ActionTrace {
  /// Another action takes the place of this one.
  @usableFromInline
  package mutating func note(_ replacement: any Sendable) {
    details = details ?? ActionDetails()
    details?.replacement = replacement
  }

  /// These are the states that were wanted.
  @usableFromInline
  package mutating func note(_ states: [StateTransition]) {
    details = details ?? ActionDetails()
    details?.states = states
  }
}
