import Arbor

/// Drives a lane, carries its commands out as its caller would, and writes down each promise that it breaks.
struct LaneWitness {
  private enum Status {
    case waiting
    case running

    /// Dropped while it ran; its body has not ended.
    case leaving

    case ended
    case dropped
  }

  private var lane = TaskLane()
  private var modes: [UInt64: TaskMode] = [:]
  private var statuses: [UInt64: Status] = [:]
  private var timers: [UInt64: Duration] = [:]
  private var started: Set<UInt64> = []
  private var timesDropped: [UInt64: Int] = [:]
  private(set) var broken: [String] = []

  /// The number of the newest task.
  private(set) var newest: UInt64 = 0

  /// Those whose bodies have not ended, dropped or not.
  var occupants: [UInt64] { tasks(.running, .leaving) }

  /// The timers that have not rung, also those for which nothing waits any more.
  var pendingTimers: [UInt64] { timers.keys.sorted() }

  var isEmpty: Bool { lane.isEmpty }

  private var live: [UInt64] { tasks(.waiting, .running) }

  mutating func arrive(_ mode: TaskMode) {
    let before = live
    newest += 1
    modes[newest] = mode
    statuses[newest] = .waiting
    event { [newest] in $0.arrive(newest, mode, &$1) }
    switch mode {
    case .parallel:
      expect(live == before + [newest] && statuses[newest] == .running, "a parallel task starts beside all others")
    case .dropCurrent:
      expect(live == [newest] && statuses[newest] == .running, "nothing survives but the newcomer, which runs")
    case .waitInCurrent:
      expect(live == before + [newest], "one that waits in the current ones drops none")
    case .keepCurrent:
      expect(live == (before.isEmpty ? [newest] : before), "the newcomer is kept only where nothing lives")
      expect(statuses[newest] != .waiting, "the newcomer that keeps the current ones never waits")
    case .debounce:
      let debounced = tasks(.waiting).filter { if case .debounce = modes[$0] { true } else { false } }
      expect(debounced.allSatisfy { $0 == newest }, "of the debounced only the newest waits")
    case .throttle:
      let throttled = tasks(.waiting).filter { if case .throttle = modes[$0] { true } else { false } }
      expect(throttled.count <= 1, "of the throttled at most one waits")
    }
  }

  mutating func end(_ task: UInt64) {
    guard let status = statuses[task] else { return event { $0.end(task, &$1) } }
    if status == .running { statuses[task] = .ended }
    if status == .leaving { statuses[task] = .dropped }
    event { $0.end(task, &$1) }
  }

  mutating func ring(_ timer: UInt64) {
    timers[timer] = nil
    event { $0.ring(timer, &$1) }
  }

  mutating func cancel(_ task: UInt64) {
    let before = live
    event { $0.cancel(task, &$1) }
    expect(live == before.filter { $0 != task }, "a cancel drops the one of which it is said and no other")
  }

  mutating func cancelAll() {
    event { $0.cancelAll(&$1) }
    expect(live.isEmpty, "nothing lives after all were cancelled")
    expect(lane.isEmpty == occupants.isEmpty, "after all were cancelled only bodies are remembered")
  }

  /// Ends all bodies and rings all timers until there are no more of either, and looks at how each task ended.
  mutating func finish() {
    while let task = occupants.first { end(task) }
    while !timers.isEmpty {
      for timer in pendingTimers { ring(timer) }
      while let task = occupants.first { end(task) }
    }
    for task in 1..<(newest + 1) {
      let wasDropped = timesDropped[task, default: 0]
      expect(wasDropped <= 1, "no task is dropped twice")
      expect(statuses[task] == (wasDropped == 1 ? .dropped : .ended), "each task has ended or was dropped")
      expect(started.contains(task) || wasDropped == 1, "what never started was dropped")
    }
    expect(lane.isEmpty && !lane.isRunning, "nothing is left")
  }

  private func tasks(_ sought: Status...) -> [UInt64] {
    statuses.filter { sought.contains($0.value) }.keys.sorted()
  }

  private mutating func event(_ body: (inout TaskLane, inout [TaskLane.Command]) -> Void) {
    var commands: [TaskLane.Command] = []
    body(&lane, &commands)
    for command in commands { carryOut(command) }
    expect(lane.isRunning == !live.isEmpty, "it is running while a task lives")
    if lane.isEmpty { expect(live.isEmpty && occupants.isEmpty, "an empty lane has no tasks") }
    if occupants.isEmpty && timers.isEmpty { expect(lane.isEmpty, "it is empty once nothing can happen any more") }
  }

  private mutating func carryOut(_ command: TaskLane.Command) {
    switch command {
    case .start(let task):
      expect(statuses[task] == .waiting, "only what waits starts, and once")
      start(task)
    case .drop(let task):
      timesDropped[task, default: 0] += 1
      expect(live.contains(task), "only what lives is dropped")
      statuses[task] = statuses[task] == .running ? .leaving : .dropped
    case .schedule(let timer, let duration):
      expect(timers.updateValue(duration, forKey: timer) == nil, "each timer has a number of its own")
      expect(duration > .zero, "no timer is asked for that has rung already")
    }
  }

  private mutating func start(_ task: UInt64) {
    switch modes[task] {
    case .waitInCurrent:
      expect(occupants.isEmpty, "never two at once")
      expect(tasks(.waiting).first == task, "first in, first out")
    case .debounce:
      expect(tasks(.running).isEmpty, "a debounced task drops what runs before it starts")
    case .dropCurrent:
      expect(live == [task], "a task that drops the current ones does so before it starts")
    default:
      break
    }
    started.insert(task)
    statuses[task] = .running
  }

  private mutating func expect(_ isKept: Bool, _ promise: String) {
    if !isKept { broken.append(promise) }
  }
}
