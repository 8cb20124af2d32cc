/// The monitors of a tree, and the delivery of events to them.
@usableFromInline
final class Monitoring: TreeListener, @unchecked Sendable {
  // Sendable because variables without a lock are used on the tree's queue only.

  /// The monitors; empty once the tree is gone and its tasks have ended, because monitors may keep stores of the tree.
  /// In memory managed here, because an array in a variable is retained whenever it is iterated.
  @exclusivity(unchecked)
  private var monitors: UnsafeMutableBufferPointer<any StoreMonitor>

  /// The number of tasks that have started and not ended, according to the reported events.
  private var tasks = 0
  private var isRootGone = false

  /// The sampling interval: one action in this many is timed; 0 for none.
  private let interval: Int
  private let accepted = AtomicNumber(0)

  /// `true` if any monitor wants causes.
  @usableFromInline let wantsCauses: Bool

  /// The notes of a recorder; nil if no monitor records the tree. Any thread reads it, so it never changes once the tree
  /// has stores.
  @usableFromInline
  @exclusivity(unchecked)
  private(set) var recordingNotes: RecordingNotes?

  /// The number of the last action that has begun.
  @exclusivity(unchecked)
  private var lastNumber: UInt64 = 0

  /// The cause of what the running callback causes.
  @usableFromInline
  @exclusivity(unchecked)
  var runningCause = ActionCause.outside

  /// The time since the tree was made, on its clock.
  @usableFromInline let now: @Sendable () -> TreeTime

  /// The action by which the last interceptor replaced the running one.
  @usableFromInline
  @exclusivity(unchecked)
  var replacement: (any Sendable)?

  /// Makes the monitoring of a tree; nil if there are no monitors.
  @usableFromInline
  init?(_ monitors: [any StoreMonitor], clock: any Clock<Duration>) {
    guard !monitors.isEmpty else { return nil }
    self.monitors = .allocate(capacity: monitors.count)
    _ = self.monitors.initialize(from: monitors)
    let intervals: [Int] = monitors.map { $0.timingInterval }
    let shortest: Int? = intervals.filter { $0 > 0 }.min()
    interval = shortest ?? 0
    wantsCauses = monitors.contains { $0.wantsCauses }
    followers = monitors.compactMap { $0 as? any RootFollower }
    tracesActions = followers.count < monitors.count
    now = TreeTime.stopwatch(on: clock)
    recordingNotes = monitors.contains { $0 is any StateRecorder } ? RecordingNotes() : nil
  }

  /// The monitors that record states.
  var recorders: [any StateRecorder] { monitors.compactMap { $0 as? any StateRecorder } }

  /// Lets go of the monitors that record states, but of one. Before the tree has stores.
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
  }

  private func releaseMonitors() {
    let released = monitors
    for monitor in released { Tree.releaseLater(monitor) }
    monitors = UnsafeMutableBufferPointer(start: nil, count: 0)
    released.deinitialize()
    released.deallocate()
  }

  /// The time at which an action is accepted; `none` if the action is not sampled. From any thread.
  @usableFromInline
  func timeOfAcceptance() -> TreeTime {
    guard interval != 1 else { return now() }
    guard interval > 0 else { return .none }
    let number = accepted.add(1) - 1
    return number.isMultiple(of: interval) ? now() : .none
  }

  /// Numbers an action whose turn has come. On the tree's queue.
  @usableFromInline
  func beginAction() -> UInt64 {
    lastNumber += 1
    if wantsCauses { runningCause = ActionCause(.action, action: lastNumber) }
    return lastNumber
  }

  /// `true` if any monitor wants the states of an action. On the tree's queue.
  @usableFromInline
  func wantsStates(of action: borrowing MonitoredAction) -> Bool {
    for monitor in monitors where monitor.wantsStates(of: action) { return true }
    return false
  }

  /// Reports the record of an action to the monitors. On the tree's queue.
  @usableFromInline
  func report(_ record: borrowing ActionRecord) {
    for monitor in monitors { monitor.monitor(record) }
  }

  @usableFromInline var mayShowMoments: Bool { recordingNotes != nil }

  /// The monitors that follow the root's state. They let go of it when its owner is released.
  let followers: [any RootFollower]

  /// `true` if any monitor wants to know of actions: those that follow the root's state do not.
  @usableFromInline let tracesActions: Bool

  @usableFromInline
  func willLeavePresent() {
    for follower in followers { follower.willLeavePresent() }
  }

  @usableFromInline
  func didReturnToPresent(withNewStates: Bool) {
    for follower in followers { follower.didReturnToPresent(withNewStates: withNewStates) }
  }

  @usableFromInline
  func didApplyCommit() {
    recordingNotes?.noteCommit()
  }

  @usableFromInline var time: Duration { now().duration }

  @usableFromInline
  func replaced(by action: any Sendable) {
    replacement = action
  }

  @usableFromInline
  func report(_ event: StoreEvent, at time: Duration) {
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
}

extension StoreProtocol {
  /// The monitors of the store's tree that follow its root. From any thread.
  package var rootFollowers: [any RootFollower] { asStore.address?.tree.monitoring?.followers ?? [] }
}
