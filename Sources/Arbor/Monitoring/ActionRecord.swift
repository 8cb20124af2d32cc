/// What has become of an action: lent to a monitor for the length of a call.
public struct ActionRecord: ~Copyable {
  /// The action, as it was dispatched.
  public let action: MonitoredAction

  /// How it came out.
  public let outcome: ActionOutcome

  /// When it was accepted and how long it took; nil if that was not read this time.
  public let times: ActionTimes?

  /// The states that its reducers have changed, or might have: that of the store it was dispatched to, then of each ancestor,
  /// the root's last. Empty unless a monitor wanted them.
  public let states: [StateTransition]

  /// Whether it is the last action of its step: of a batch all others are not.
  public let isLastOfStep: Bool

  @usableFromInline
  init(
    _ action: consuming MonitoredAction,
    _ outcome: ActionOutcome,
    _ times: ActionTimes?,
    _ states: [StateTransition],
    isLastOfStep: Bool
  ) {
    self.action = action
    self.outcome = outcome
    self.times = times
    self.states = states
    self.isLastOfStep = isLastOfStep
  }
}
