/// The monitors of a tree, and the delivery of events to them.
final class Monitoring: StoreListener, @unchecked Sendable {
  // Sendable because variables without a lock are only used on the tree's queue.

  /// The monitors. Empty after the tree is gone and its tasks have ended, because monitors may keep stores of the tree.
  /// In manually managed memory, because an array in a variable is retained whenever it is iterated.
  @exclusivity(unchecked)
  private var monitors: UnsafeMutableBufferPointer<any StoreMonitor>

  /// The number of tasks that have started but not ended, according to the reported events.
  private var tasks = 0
  private var isRootGone = false

  /// The sampling interval: one action in this many is timed; 0 for none.
  private let interval: Int
  private let accepted = AtomicNumber(0)

  /// The notes of a recorder; nil if no monitor records the tree. Any thread reads it, so it never changes after the
  /// tree has stores.
  @exclusivity(unchecked)
  private(set) var recordingNotes: RecordingNotes?

  /// The number of the last action that began.
  @exclusivity(unchecked)
  private var lastNumber: UInt64 = 0

  /// The records of the running step's actions. In manually managed memory, because each action changes them several
  /// times.
  @exclusivity(unchecked)
  private var traces = UnsafeMutableBufferPointer<ActionTrace>(start: nil, count: 0)

  /// The numbers of the running step's actions that have begun, and that have ended.
  @exclusivity(unchecked)
  private var begun = 0
  @exclusivity(unchecked)
  private var ended = 0

  /// The time since the tree was made, on its clock.
  let now: @Sendable () -> TreeTime

  /// The action with which the last interceptor replaced the running one.
  @exclusivity(unchecked)
  private var replacement: (any Sendable)?

  /// Makes the monitoring of a tree.
  init(_ monitors: [any StoreMonitor], clock: any Clock<Duration>) {
    self.monitors = .allocate(capacity: monitors.count)
    _ = self.monitors.initialize(from: monitors)
    let intervals: [Int] = monitors.map { $0.timingInterval }
    let shortest: Int? = intervals.filter { $0 > 0 }.min()
    interval = shortest ?? 0
    followers = monitors.compactMap { $0 as? any RootFollower }
    tracesActions = followers.count < monitors.count
    now = TreeTime.stopwatch(on: clock)
    recordingNotes = monitors.contains { $0 is any StateRecorder } ? RecordingNotes() : nil
    wantsCauses = monitors.contains { $0.wantsCauses }
  }

  /// The monitors that record states.
  var recorders: [any StateRecorder] { monitors.compactMap { $0 as? any StateRecorder } }

  /// Releases the monitors that record states, except for one. Called before the tree has stores.
  func keepRecorder(_ recorder: (any StateRecorder)?) {
    if recorder == nil { recordingNotes = nil }
    let isAlone = recorders.count == 1
    guard recorder == nil || !isAlone else { return }
    if recorder != nil { Misuse.severalRecorders.report(about: "a factory") }
    var isKept = false
    let left = monitors.filter { monitor in
      guard monitor is any StateRecorder else { return true }
      defer { isKept = isKept || monitor === recorder }
      return monitor === recorder && !isKept
    }
    releaseMonitors()
    monitors = .allocate(capacity: left.count)
    _ = monitors.initialize(from: left)
  }

  deinit {
    releaseMonitors()
    traces.deallocate()
  }

  private func releaseMonitors() {
    let released = monitors
    for monitor in released { Tree.releaseLater(monitor) }
    monitors = UnsafeMutableBufferPointer(start: nil, count: 0)
    released.deinitialize()
    released.deallocate()
  }

  var mayShowMoments: Bool { recordingNotes != nil }

  /// The monitors that follow the root's state. They release it when its owner is released.
  let followers: [any RootFollower]

  /// `true` if any monitor wants actions. Monitors that only follow the root's state don't.
  let tracesActions: Bool

  let wantsCauses: Bool

  func willLeavePresent() {
    for follower in followers { follower.willLeavePresent() }
  }

  func didReturnToPresent(withNewStates: Bool) {
    for follower in followers { follower.didReturnToPresent(withNewStates: withNewStates) }
  }

  func didApplyCommit() {
    recordingNotes?.noteCommit()
  }

  var time: Duration { now().duration }

  func report(_ event: TreeEvent, at time: Duration) {
    switch event {
    case .nodeMade(let node): report(.storeMade(MonitoredStore(node)), at: time)
    case .nodeGone(let node): report(.storeGone(MonitoredStore(node)), at: time)
    case .observerMade(let node): report(.observerMade(in: MonitoredStore(node)), at: time)
    case .observerGone(let node): report(.observerGone(in: MonitoredStore(node)), at: time)
    case .other(let event): report(event as! StoreEvent, at: time)
    }
  }

  private func report(_ event: StoreEvent, at time: Duration) {
    for monitor in monitors { monitor.monitor(event, at: time) }
    switch event {
    case .taskStarted: tasks += 1
    case .taskFinished, .taskFailed, .taskCancelled: tasks -= 1
    case .storeGone(let store):
      if store.parent == nil { isRootGone = true }
    case .storeMade, .observerMade, .observerGone, .activity: return
    }
    if isRootGone, tasks == 0 {
      recordingNotes?.releaseRecorder()
      releaseMonitors()
    }
  }

  // MARK: Stores

  func willBegin<State: Sendable, Action: Sendable>(_ store: inout NewStore<State, Action>) {
    recordingNotes?.join(&store)
    if store.address.host.monitored?.parent == nil { store.follow(with: followers) }
  }

  func didBeginRoot() {
    for follower in followers { follower.didBegin() }
  }

  // MARK: Actions

  func timeOfAcceptance() -> TreeTime {
    guard interval != 1 else { return now() }
    guard interval > 0 else { return .none }
    let number = accepted.add(1) - 1
    return number.isMultiple(of: interval) ? now() : .none
  }

  func didBegin<Action: Sendable>(_ action: UnsafePointer<Action>, _ stamp: ActionStamp, at node: AnyObject) {
    lastNumber += 1
    let station = AnyStation.of(node)
    if wantsCauses { station.tree.step.cause = ActionCause(.action, action: lastNumber) }
    var trace = ActionTrace(number: lastNumber, cause: stamp.cause, accepted: stamp.accepted)
    trace.tree = .passUnretained(station.tree)
    let monitored = MonitoredAction(action, in: station.unretainedIdentity)
    if wantsStates(of: monitored) { trace.noteStates(before: station) }
    if stamp.accepted.isRead { trace.begun = now() }
    if begun == traces.count { replaceTraces(by: max(1, 2 * begun)) }
    traces.initializeElement(at: begun, to: trace)
    begun += 1
  }

  /// The maximum number of traces whose memory is kept from one step to the next.
  private static let keptTraces = 64

  /// Moves the existing traces to memory for another number of them.
  private func replaceTraces(by count: Int) {
    let others = UnsafeMutableBufferPointer<ActionTrace>.allocate(capacity: count)
    if begun > 0 { _ = others.moveInitialize(fromContentsOf: traces[..<begun]) }
    traces.deallocate()
    traces = others
  }

  /// Returns `true` if any monitor wants the states of an action.
  private func wantsStates(of action: borrowing MonitoredAction) -> Bool {
    for monitor in monitors where monitor.wantsStates(of: action) { return true }
    return false
  }

  func didReplace(by action: any Sendable) {
    replacement = action
  }

  func didPass(_ point: TracePoint, at node: AnyObject) {
    let trace = traces.baseAddress.unsafelyUnwrapped + begun - 1
    let isTimed = trace.pointee.accepted.isRead
    switch point {
    case .intercepted:
      if let replacement = replacement.take() { trace.pointee.note(replacement) }
      if isTimed { trace.pointee.intercepted = now() }
    case .reduced:
      if isTimed {
        if !trace.pointee.intercepted.isRead { trace.pointee.intercepted = trace.pointee.begun }
        trace.pointee.reduced = now()
      }
      if trace.pointee.details != nil { trace.pointee.noteStates(after: .of(node)) }
      recordingNotes?.didReduce(trace.pointee.number)
    case .performed:
      if isTimed { trace.pointee.performed = now() }
    case .observing:
      if isTimed { trace.pointee.notifying = now() }
    case .observed:
      guard isTimed else { return }
      if !trace.pointee.notifying.isRead {
        trace.pointee.notifying = trace.pointee.performed.isRead ? trace.pointee.performed : trace.pointee.reduced
      }
      trace.pointee.delivered = now()
    case .noStep(let reason): trace.pointee.noStepReason = reason
    }
  }

  func didEnd<Action: Sendable>(_ action: UnsafePointer<Action>, isLastOfStep: Bool, at node: AnyObject) {
    let trace = traces.baseAddress.unsafelyUnwrapped + ended
    trace.pointee.isLastOfStep = isLastOfStep
    let station = AnyStation.of(node)
    let record = ActionRecord(MonitoredAction(action, in: station.unretainedIdentity), trace)
    for monitor in monitors { monitor.monitor(record) }
    ended += 1
    guard isLastOfStep else { return }
    // Released outside the tree, with the states and actions in it.
    for trace in traces[..<ended] { if let details = trace.details { Tree.releaseLater(details) } }
    traces[..<ended].deinitialize()
    (begun, ended) = (0, 0)
    station.tree.step.cause = .outside
    if traces.count > Monitoring.keptTraces { replaceTraces(by: 1) }
  }
}

extension Tree {
  /// The tree's monitors; nil if there are none.
  var monitoring: Monitoring? { listener as? Monitoring }
}

extension StoreProtocol {
  /// The monitors of the store's tree that follow its root. May be read from any thread.
  package var rootFollowers: [any RootFollower] { asStore.address?.tree.monitoring?.followers ?? [] }
}
