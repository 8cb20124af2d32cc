/// The monitors trace each action: what becomes of it, when, and the states that it changes.
extension Monitoring: StepTracer {
  @usableFromInline static var isTracing: Bool { true }

  @usableFromInline
  func stamp() -> TreeTime { timeOfAcceptance() }

  @inlinable @inline(__always)
  func begin<Action: Sendable>(_ action: Action, _ stamp: TreeTime, at node: Node) -> ActionTrace {
    withUnsafePointer(to: action) { action in
      begin(MonitoredAction(action, in: node.monitored.unsafelyUnwrapped), stamp, at: node)
    }
  }

  @usableFromInline
  func begin(_ action: borrowing MonitoredAction, _ accepted: TreeTime, at node: Node) -> ActionTrace {
    var trace = ActionTrace(accepted: accepted)
    if wantsStates(of: action) { trace.details = ActionDetails(before: node.ownStates()) }
    if accepted.isRead { trace.begun = now() }
    return trace
  }

  @usableFromInline
  func intercepted(_ trace: inout ActionTrace) {
    if let replacement = replacement.take() { trace.note(replacement) }
    if trace.accepted.isRead { trace.intercepted = now() }
  }

  @usableFromInline
  func reduced(_ trace: inout ActionTrace, at node: Node) {
    if trace.accepted.isRead {
      if !trace.intercepted.isRead { trace.intercepted = trace.begun }
      trace.reduced = now()
    }
    if let details = trace.details { details.states = node.transitions(from: details.before) }
  }

  @usableFromInline
  func ended(_ trace: inout ActionTrace, by end: ActionEnd) {
    switch end {
    case .dropped: trace.fate = .dropped
    case .revoked: trace.fate = .revoked
    case .failed: trace.fate = .failed
    }
  }

  @usableFromInline
  func announcing(_ trace: inout ActionTrace) {
    if trace.accepted.isRead { trace.announced = now() }
  }

  @usableFromInline
  func announced(_ trace: inout ActionTrace) {
    if trace.accepted.isRead { trace.delivered = now() }
  }

  @inlinable @inline(__always)
  func end<Action: Sendable>(
    _ action: Action,
    _ trace: inout ActionTrace,
    isLastOfStep: Bool,
    at node: Node
  ) {
    trace.isLastOfStep = isLastOfStep
    withUnsafePointer(to: action) { action in
      withUnsafePointer(to: &trace) { trace in
        tell(ActionRecord(MonitoredAction(action, in: node.monitored.unsafelyUnwrapped), trace))
      }
    }
  }
}

extension Node {
  /// What the own states have become, of this node and of each ancestor.
  fileprivate func transitions(from before: [any Sendable]) -> [StateTransition] {
    var node: Node? = self
    return zip(before, ownStates()).map { before, after in
      defer { node = node?.parent }
      return StateTransition(store: node!.monitored!, before: before, after: after)
    }
  }
}

extension Mailbox {
  /// The tree's monitors; nil if there are none.
  @usableFromInline var monitoring: Monitoring? {
    // Nothing else listens to a tree.
    listener.map { unsafeDowncast($0, to: Monitoring.self) }
  }
}
