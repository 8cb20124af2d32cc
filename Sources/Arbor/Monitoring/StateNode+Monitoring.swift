/// The way of an action where monitors look on: as without them, with a trace of each action.
extension StateNode {
  /// What runs the actions, the batches and the actions of tasks that are sent here.
  @inlinable
  static func handlers(of node: Unmanaged<StateNode>, _ monitoring: Monitoring) -> [Handler] {
    [
      Handler { (timed: Timed<Action>) in
        node._withUnsafeGuaranteedRef { $0.step(timed.payload, accepted: timed.accepted, monitoring) }
      } look: { timed in
        look(at: [timed.payload], for: node)
      },
      Handler { (timed: Timed<[Action]>) in
        node._withUnsafeGuaranteedRef { $0.step(batch: timed.payload, accepted: timed.accepted, monitoring) }
      } look: { timed in
        look(at: timed.payload, for: node)
      },
      Handler { (timed: Timed<[SentAction<Action>]>) in
        let sent = timed.payload[0]
        node._withUnsafeGuaranteedRef { node in
          node.step(sent.action, from: sent.sender, accepted: timed.accepted, monitoring)
        }
      } look: { timed in
        look(at: timed.payload[0], for: node)
      },
    ]
  }

  /// What happens to an action when its turn comes.
  @inlinable
  func step(_ action: Action, from sender: TaskSender? = nil, accepted: TreeTime, _ monitoring: Monitoring) {
    withUnsafePointer(to: action) { pointer in
      var trace = pass(pointer, from: sender, accepted, monitoring)
      if trace.fate == .reduced { announce(&trace, monitoring) }
      tell(pointer, trace, monitoring)
    }
  }

  /// What happens to a batch.
  @inlinable
  func step(batch actions: [Action], accepted: TreeTime, _ monitoring: Monitoring) {
    actions.withUnsafeBufferPointer { actions in
      guard let start = actions.baseAddress else { return }
      mailbox.isInBatch = true
      var traces = actions.indices.map { pass(start + $0, from: nil, accepted, monitoring) }
      mailbox.isInBatch = false
      let last = traces.count - 1
      for index in 0..<last { traces[index].isLastOfStep = false }
      if traces.contains(where: { $0.fate == .reduced }) { announce(&traces[last], monitoring) }
      for index in traces.indices { tell(start + index, traces[index], monitoring) }
    }
  }

  @inlinable
  func pass(
    _ action: UnsafePointer<Action>,
    from sender: TaskSender?,
    _ accepted: TreeTime,
    _ monitoring: Monitoring
  ) -> ActionTrace {
    var trace = ActionTrace(accepted: accepted)
    let before = wantsStates(of: action, monitoring) ? ownStates() : []
    if accepted.isRead { trace.begun = monitoring.now() }
    guard intercept != nil else {
      if sender?.isRevoked == true {
        trace.fate = .revoked
      } else {
        apply(action.pointee, before, &trace, monitoring)
      }
      return trace
    }
    var current = action.pointee
    mailbox.begin(.interceptors)
    mailbox.mayFail = canFail?(current) == true
    defer { mailbox.mayFail = false }
    let isPassed = sender?.isRevoked != true && intercept?(&current) == true
    let replacement = monitoring.replacement.take()
    if accepted.isRead { trace.intercepted = monitoring.now() }
    if sender?.isRevoked == true {
      if isPassed { discard?() }
      trace.fate = .revoked
    } else if isPassed {
      if let replacement { trace.note(replacement) }
      apply(current, before, &trace, monitoring)
    } else {
      trace.fate = .dropped
    }
    return trace
  }

  @inlinable
  func apply(_ action: Action, _ before: [any Sendable], _ trace: inout ActionTrace, _ monitoring: Monitoring) {
    if trace.accepted.isRead, !trace.intercepted.isRead { trace.intercepted = trace.begun }
    mailbox.begin(.reducers)
    mailbox.isReducing = true
    let isStep = reduce(action)
    mailbox.isReducing = false
    if trace.accepted.isRead { trace.reduced = monitoring.now() }
    if !before.isEmpty { trace.note(transitions(from: before)) }
    guard !mailbox.takeFailedChange(), isStep else {
      trace.fate = .failed
      return
    }
    mailbox.revision &+= 1
    setOff(action)
  }

  /// Calls the observers.
  @inlinable
  func announce(_ trace: inout ActionTrace, _ monitoring: Monitoring) {
    if trace.accepted.isRead { trace.announced = monitoring.now() }
    announceStep()
    if trace.accepted.isRead { trace.delivered = monitoring.now() }
  }

  @inlinable
  func wantsStates(of action: UnsafePointer<Action>, _ monitoring: Monitoring) -> Bool {
    guard let monitored else { return false }
    return monitoring.wantsStates(of: MonitoredAction(action, in: monitored))
  }

  @inlinable
  func tell(_ action: UnsafePointer<Action>, _ trace: ActionTrace, _ monitoring: Monitoring) {
    guard let monitored else { return }
    withUnsafePointer(to: trace) { trace in
      monitoring.tell(ActionRecord(MonitoredAction(action, in: monitored), trace))
    }
  }
}
