import Arbor

extension StoreMonitor {
  /// Calls the monitor like a store does: with states only if it wants them.
  func see<Action: Sendable>(
    _ action: Action,
    in store: MonitoredStore = Example.root,
    outcome: ActionOutcome = .reduced,
    times: ActionTimes? = nil,
    states: [StateTransition] = [],
    isLastOfStep: Bool = true
  ) {
    withUnsafePointer(to: action) { address in
      let areWanted = wantsStates(of: MonitoredAction(address, in: store))
      var trace = ActionTrace(outcome, times)
      trace.isLastOfStep = isLastOfStep
      if areWanted { trace.note(states) }
      withUnsafePointer(to: trace) { trace in
        monitor(ActionRecord(MonitoredAction(address, in: store), trace))
      }
    }
  }
}
