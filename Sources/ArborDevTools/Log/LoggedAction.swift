internal import Arbor

/// The copy of an action that is kept until it is written.
struct LoggedAction: Sendable {
  let action: any Sendable
  let store: MonitoredStore
  let outcome: ActionOutcome
  let times: ActionTimes?
  let states: [StateTransition]
  let isLastOfStep: Bool

  init(_ record: borrowing ActionRecord, _ detail: LogDetail) {
    action = record.action.value
    store = record.action.store
    outcome = record.outcome
    // Another monitor of the tree may have asked for more.
    times = detail.contains(.times) ? record.times : nil
    states = detail.contains(.changes) ? record.states : []
    isLastOfStep = record.isLastOfStep
  }
}
