/// The way of an action where monitors look on: as without them, with a record of each action.
extension StateNode {
  /// What happens to an entry when its turn comes.
  @inlinable
  func step(_ entry: MonitoredEntry<Action>, _ monitoring: Monitoring) {
    switch entry.content {
    case .action(let action): step(action, from: nil, entry.accepted, monitoring)
    case .sent(let sent): step(sent.action, from: sent.sender, entry.accepted, monitoring)
    case .batch(let actions): step(batch: actions, entry.accepted, monitoring)
    }
  }

  @inlinable
  func step(_ action: Action, from sender: TaskSender?, _ accepted: Duration?, _ monitoring: Monitoring) {
    let trace = pass(action, from: sender, accepted, monitoring)
    let delivered = announce(isStep: trace.isStep, isTimed: accepted != nil, monitoring)
    tell(action, trace, delivered: delivered, isLast: true, monitoring)
  }

  @inlinable
  func step(batch actions: [Action], _ accepted: Duration?, _ monitoring: Monitoring) {
    let traces = actions.map { pass($0, from: nil, accepted, monitoring) }
    let isStep = traces.contains { $0.isStep }
    let delivered = announce(isStep: isStep, isTimed: accepted != nil, monitoring)
    for index in actions.indices {
      let isLast = index == actions.count - 1
      tell(actions[index], traces[index], delivered: isLast ? delivered : .zero, isLast: isLast, monitoring)
    }
  }

  @inlinable
  func pass(
    _ action: Action,
    from sender: TaskSender?,
    _ accepted: Duration?,
    _ monitoring: Monitoring
  ) -> ActionTrace {
    var trace = ActionTrace(accepted: accepted)
    let before = wantsStates(of: action, monitoring) ? ownStates() : []
    monitoring.replacement = nil
    if accepted != nil { trace.begun = monitoring.now() }
    var current = action
    let isPassed = sender?.isRevoked != true && intercept?(&current) != false
    if accepted != nil { trace.intercepted = monitoring.now() }
    guard isPassed, sender?.isRevoked != true else {
      trace.outcome = sender?.isRevoked == true ? .revoked : .dropped
      return trace
    }
    mailbox.isReducing = true
    let isStep = reduce(current)
    mailbox.isReducing = false
    if accepted != nil { trace.reduced = monitoring.now() }
    if !before.isEmpty { trace.states = transitions(from: before) }
    guard isStep else {
      trace.outcome = .failed
      return trace
    }
    if let replacement = monitoring.replacement { trace.outcome = .replaced(by: replacement) }
    mailbox.revision &+= 1
    effects?(current)
    return trace
  }

  /// Calls the observers, if there was a step.
  ///
  /// - Returns: How long that took, if it is to be read.
  @inlinable
  func announce(isStep: Bool, isTimed: Bool, _ monitoring: Monitoring) -> Duration {
    guard isStep else { return .zero }
    guard isTimed else {
      announceStep()
      return .zero
    }
    let begun = monitoring.now()
    announceStep()
    return monitoring.now() - begun
  }

  @inlinable
  func wantsStates(of action: Action, _ monitoring: Monitoring) -> Bool {
    guard let monitored else { return false }
    return withUnsafePointer(to: action) { monitoring.wantsStates(of: MonitoredAction($0, in: monitored)) }
  }

  @inlinable
  func tell(
    _ action: Action,
    _ trace: ActionTrace,
    delivered: Duration,
    isLast: Bool,
    _ monitoring: Monitoring
  ) {
    guard let monitored else { return }
    withUnsafePointer(to: action) { action in
      let times = trace.times(delivered: delivered)
      monitoring.tell(
        ActionRecord(MonitoredAction(action, in: monitored), trace.outcome, times, trace.states, isLastOfStep: isLast)
      )
    }
  }
}
