/// The record of an action on its way, until the monitors receive it.
package struct ActionTrace {
  /// The tree of the action. Unretained, because a trace ends with the step.
  var tree: Unmanaged<Tree>?
  package let number: UInt64
  package let cause: ActionCause

  /// The time of acceptance. If it wasn't read, no other time is.
  package let accepted: TreeTime
  package var begun = TreeTime.none
  package var intercepted = TreeTime.none
  package var reduced = TreeTime.none
  package var performed = TreeTime.none
  package var notifying = TreeTime.none
  package var delivered = TreeTime.none

  /// The reason why the action wasn't a step; nil if it was one.
  package var noStepReason: NoStepReason?
  package var isLastOfStep = true

  /// The details, which only a few actions have.
  var details: ActionDetails?

  package init(number: UInt64 = 0, cause: ActionCause = .outside, accepted: TreeTime) {
    self.number = number
    self.cause = cause
    self.accepted = accepted
  }

  var outcome: ActionOutcome {
    noStepReason.map(ActionOutcome.init) ?? details?.replacement.map { .replaced(by: $0) } ?? .reduced
  }
}

extension ActionTrace {
  /// Records the action that replaces this one.
  package mutating func note(_ replacement: any Sendable) {
    details = details ?? ActionDetails()
    details?.replacement = replacement
  }

  /// Records the states that a monitor wanted.
  package mutating func note(_ states: [StateTransition]) {
    details = details ?? ActionDetails()
    details?.states = states
  }
}

/// The details of an action that was replaced, or whose states a monitor wants.
final class ActionDetails {
  var replacement: (any Sendable)?

  /// The states before the action; empty if no monitor wants them.
  let before: [any Sendable]
  var states: [StateTransition] = []

  init(before: [any Sendable] = []) {
    self.before = before
  }
}

extension ActionTimes {
  init(_ times: ActionNanoseconds) {
    self.init(
      accepted: .nanoseconds(times.accepted),
      waited: .nanoseconds(times.waited),
      intercepted: .nanoseconds(times.intercepted),
      reduced: .nanoseconds(times.reduced),
      performed: .nanoseconds(times.performed),
      delivered: .nanoseconds(times.delivered)
    )
  }
}

/// The times of an action in nanoseconds, for monitors that keep each of them. For those, calculating with durations
/// would be most of the cost.
package struct ActionNanoseconds: Sendable {
  package let accepted: Int64
  package let waited: Int64
  package let intercepted: Int64
  package let reduced: Int64
  package let performed: Int64
  package let delivered: Int64

  /// Makes the times of a trace; nil if they weren't read. Takes its address, so that the trace isn't copied.
  init?(_ trace: UnsafePointer<ActionTrace>) {
    guard trace.pointee.accepted.isRead else { return nil }
    accepted = trace.pointee.accepted.nanoseconds
    waited = trace.pointee.begun.since(trace.pointee.accepted)
    intercepted = trace.pointee.intercepted.since(trace.pointee.begun)
    reduced = trace.pointee.reduced.since(trace.pointee.intercepted)
    performed = trace.pointee.performed.since(trace.pointee.reduced)
    delivered = trace.pointee.delivered.since(trace.pointee.notifying)
  }

  package init(_ times: ActionTimes) {
    func nanoseconds(_ duration: Duration) -> Int64 { TreeTime(duration).nanoseconds }
    accepted = nanoseconds(times.accepted)
    waited = nanoseconds(times.waited)
    intercepted = nanoseconds(times.intercepted)
    reduced = nanoseconds(times.reduced)
    performed = nanoseconds(times.performed)
    delivered = nanoseconds(times.delivered)
  }
}

extension ActionTrace {
  /// Records the states that an action may change: those of its store and of each ancestor.
  mutating func noteStates(before node: AnyStation) {
    details = ActionDetails(before: node.ownStates())
  }

  /// Records the states after the action, if a monitor wants them.
  func noteStates(after node: AnyStation) {
    guard let details, !details.before.isEmpty else { return }
    var node: AnyStation? = node
    details.states = zip(details.before, node!.ownStates()).map { before, after in
      defer { node = node?.above }
      return StateTransition(store: node!.monitored!, before: before, after: after)
    }
  }
}
