internal import Synchronization

/// The monitors of a tree, and what they are told by.
@usableFromInline
final class Monitoring: TreeListener, @unchecked Sendable {
  // Sendable because what varies without a lock is touched on the tree's queue only.

  /// None any more once the tree is gone and its tasks have ended: they may hold stores of it. Kept by hand, because an array
  /// that varies is retained whenever it is walked.
  @exclusivity(unchecked)
  private var monitors: UnsafeMutableBufferPointer<any StoreMonitor>

  /// How many tasks have begun and not ended, as far as that was told.
  private var tasks = 0
  private var isRootGone = false

  /// Of so many actions the times of one are read; 0 for none.
  private let interval: UInt64
  private let accepted = Atomic<UInt64>(0)

  /// The time since the tree was made, on its clock.
  @usableFromInline let now: @Sendable () -> TreeTime

  /// The action that the last interceptor has put in the place of the running one.
  @usableFromInline
  @exclusivity(unchecked)
  var replacement: (any Sendable)?

  /// Makes what a tree's monitors are told by; nil if there are none.
  @usableFromInline
  init?(_ monitors: [any StoreMonitor], clock: any Clock<Duration>) {
    guard !monitors.isEmpty else { return nil }
    self.monitors = .allocate(capacity: monitors.count)
    _ = self.monitors.initialize(from: monitors)
    let intervals: [Int] = monitors.map { $0.timingInterval }
    let shortest: Int? = intervals.filter { $0 > 0 }.min()
    interval = UInt64(shortest ?? 0)
    now = Monitoring.stopwatch(on: clock)
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

  private static func stopwatch(on clock: any Clock<Duration>) -> @Sendable () -> TreeTime {
    // Opened once, and not at each reading.
    func stopwatch<C: Clock>(on clock: C) -> @Sendable () -> TreeTime where C.Duration == Duration {
      let start = clock.now
      return { TreeTime(start.duration(to: clock.now)) }
    }
    guard clock is ContinuousClock else { return stopwatch(on: clock) }
    // The same clock; to read it as durations takes ten times as long.
    let start = Platform.continuousTime
    return { TreeTime(nanoseconds: Platform.continuousTime - start) }
  }

  /// The time at which an action is accepted, if its times are to be read. From any thread.
  @usableFromInline
  func timeOfAcceptance() -> TreeTime {
    guard interval != 1 else { return now() }
    guard interval > 0 else { return .none }
    let number = accepted.wrappingAdd(1, ordering: .relaxed).oldValue
    return number.isMultiple(of: interval) ? now() : .none
  }

  /// `true` if any monitor wants the states of an action. On the queue.
  @usableFromInline
  func wantsStates(of action: borrowing MonitoredAction) -> Bool {
    for monitor in monitors where monitor.wantsStates(of: action) { return true }
    return false
  }

  /// Tells what has become of an action. On the queue.
  @usableFromInline
  func report(_ record: borrowing ActionRecord) {
    for monitor in monitors { monitor.monitor(record) }
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
    case .storeGone(let store): if store.parent == nil { isRootGone = true }
    case .storeMade, .observerMade, .observerGone, .activity: return
    }
    if isRootGone, tasks == 0 { releaseMonitors() }
  }
}
