/// A tracer for the monitors of a tree: notes the outcome of each action, its times, and the states that it changes.
@usableFromInline
struct MonitorTracer: StepTracer {
  /// Unretained, because a retain would cost more than a note does. The tree keeps the object alive.
  @usableFromInline let monitoring: Unmanaged<Monitoring>

  @inlinable
  init(_ monitoring: Unmanaged<Monitoring>) {
    self.monitoring = monitoring
  }

  @inlinable static var isTracing: Bool { true }

  @inlinable @inline(__always)
  static func of(_ tree: Tree) -> MonitorTracer {
    MonitorTracer(.passUnretained(tree.monitoring.unsafelyUnwrapped))
  }

  @inlinable @inline(__always)
  func now() -> TreeTime { monitoring._withUnsafeGuaranteedRef { $0.now() } }

  /// The stamp of an action: the time of its acceptance, and its cause.
  @usableFromInline
  struct Stamp: Sendable {
    @usableFromInline let accepted: TreeTime
    @usableFromInline let cause: ActionCause

    @inlinable
    init(accepted: TreeTime, cause: ActionCause) {
      self.accepted = accepted
      self.cause = cause
    }
  }

  @inlinable @inline(__always)
  static func stamp(on tree: Tree, from sender: ActionSender?) -> Stamp {
    let monitoring = tree.monitoring.unsafelyUnwrapped
    let cause = monitoring.wantsCauses ? sender?.cause ?? tree.cause : .outside
    return Stamp(accepted: monitoring.timeOfAcceptance(), cause: cause)
  }

  @inlinable @inline(__always)
  func begin<Action: Sendable>(_ action: Action, _ stamp: Stamp, at node: AnyStation) -> ActionTrace {
    let number = monitoring._withUnsafeGuaranteedRef { $0.beginAction() }
    var trace = ActionTrace(number: number, cause: stamp.cause, accepted: stamp.accepted)
    trace.tree = .passUnretained(node.tree)
    withUnsafePointer(to: action) { action in
      let isWanted = monitoring._withUnsafeGuaranteedRef {
        $0.wantsStates(of: MonitoredAction(action, in: node.monitored.unsafelyUnwrapped))
      }
      if isWanted { trace.noteStates(before: node) }
    }
    if stamp.accepted.isRead { trace.begun = now() }
    return trace
  }

  @inlinable @inline(__always)
  func didIntercept(_ trace: inout ActionTrace) {
    if let replacement = monitoring._withUnsafeGuaranteedRef({ $0.replacement.take() }) { trace.note(replacement) }
    if trace.accepted.isRead { trace.intercepted = now() }
  }

  @inlinable @inline(__always)
  func didReduce(_ trace: inout ActionTrace, at node: AnyStation) {
    if trace.accepted.isRead {
      if !trace.intercepted.isRead { trace.intercepted = trace.begun }
      trace.reduced = now()
    }
    if trace.details != nil { trace.noteStates(after: node) }
    monitoring._withUnsafeGuaranteedRef { $0.recordingNotes?.didReduce(trace.number) }
  }

  @usableFromInline
  func didNotStep(_ trace: inout ActionTrace, _ reason: NoStepReason) {
    trace.noStepReason = reason
  }

  @inlinable @inline(__always)
  func didPerform(_ trace: inout ActionTrace) {
    if trace.accepted.isRead { trace.performed = now() }
  }

  @inlinable @inline(__always)
  func willNotify(_ trace: inout ActionTrace) {
    if trace.accepted.isRead { trace.notifying = now() }
  }

  @inlinable @inline(__always)
  func didNotify(_ trace: inout ActionTrace) {
    guard trace.accepted.isRead else { return }
    if !trace.notifying.isRead { trace.notifying = trace.performed.isRead ? trace.performed : trace.reduced }
    trace.delivered = now()
  }

  @inlinable @inline(__always)
  func finish<Action: Sendable>(
    _ action: Action,
    _ trace: inout ActionTrace,
    isLastOfStep: Bool,
    at node: AnyStation
  ) {
    trace.isLastOfStep = isLastOfStep
    withUnsafePointer(to: action) { action in
      withUnsafePointer(to: &trace) { trace in
        monitoring._withUnsafeGuaranteedRef {
          $0.report(ActionRecord(MonitoredAction(action, in: node.monitored.unsafelyUnwrapped), trace))
          if isLastOfStep { $0.runningCause = .outside }
        }
      }
    }
  }
}

extension ActionTrace {
  /// Notes the states that an action may change: that of its store and of each ancestor.
  @usableFromInline
  mutating func noteStates(before node: AnyStation) {
    details = ActionDetails(before: node.ownStates())
  }

  /// Notes the states after the action, if a monitor wants them.
  @usableFromInline
  func noteStates(after node: AnyStation) {
    guard let details, !details.before.isEmpty else { return }
    var node: AnyStation? = node
    details.states = zip(details.before, node!.ownStates()).map { before, after in
      defer { node = node?.above }
      return StateTransition(store: node!.monitored!, before: before, after: after)
    }
  }
}

extension Tree {
  /// The tree's monitors; nil if there are none.
  @inlinable var monitoring: Monitoring? {
    // `Monitoring` is the only type that is ever the listener of a tree.
    listener.map { unsafeDowncast($0, to: Monitoring.self) }
  }

  /// `true` if monitors want to know of actions, so that ``MonitorTracer`` traces them.
  @inlinable var tracesActions: Bool { monitoring?.tracesActions == true }
}
