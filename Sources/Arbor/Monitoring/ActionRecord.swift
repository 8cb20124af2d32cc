/// The record of an action: lent to a monitor for the length of a call.
public struct ActionRecord: ~Copyable {
  /// The action, as it was dispatched.
  public let action: MonitoredAction

  private let trace: UnsafePointer<ActionTrace>

  @usableFromInline
  package init(_ action: consuming MonitoredAction, _ trace: UnsafePointer<ActionTrace>) {
    self.action = action
    self.trace = trace
  }

  /// How it came out.
  public var outcome: ActionOutcome {
    // As most are: without copying what else is known.
    if trace.pointee.fate == .reduced, trace.pointee.details == nil { .reduced } else { trace.pointee.outcome }
  }

  /// When it was accepted and how long it took, to the nanosecond; nil if that was not read this time.
  public var times: ActionTimes? { trace.pointee.accepted.isRead ? trace.pointee.times : nil }

  /// The states that its reducers have changed, or might have: that of the store it was dispatched to, then of each ancestor,
  /// the root's last. Empty unless a monitor wanted them, or if it did not come to a reducer.
  public var states: [StateTransition] { trace.pointee.details?.states ?? [] }

  /// `true` if it is the last action of its step: of a batch all others are not.
  public var isLastOfStep: Bool { trace.pointee.isLastOfStep }
}
