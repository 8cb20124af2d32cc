import Arbor

/// Drives a lane, runs its commands like its caller, and records each promise that it breaks.
struct LaneWitness {
  private enum Status {
    case waiting
    case running

    /// Dropped while it ran; its body has not ended.
    case leaving

    /// Ended, but still known.
    case known

    case ended
    case dropped
  }

  private var lane = TaskLane()
  private var modes: [UInt64: TaskMode] = [:]
  private var statuses: [UInt64: Status] = [:]
  private var timers: [UInt64: Duration] = [:]
  private var started: Set<UInt64> = []
  private var timesDropped: [UInt64: Int] = [:]
  private var isSuspended = false
  private(set) var broken: [String] = []

  /// The number of the newest task.
  private(set) var newest: UInt64 = 0

  /// The tasks whose bodies have not ended, dropped or not.
  var occupants: [UInt64] { tasks(.running, .leaving) }

  /// The tasks that have ended and are still known.
  var known: [UInt64] { tasks(.known) }

  /// The timers that have not fired, including those for which nothing waits any more.
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
      expect(live == before + [newest] && runsUnlessSuspended(newest), "a parallel task starts next to all others")
    case .dropCurrent:
      expect(live == [newest] && runsUnlessSuspended(newest), "only the new task survives, and it runs")
    case .waitInCurrent:
      expect(live == before + [newest], "a task that waits in the current ones drops none")
    case .keepCurrent:
      expect(live == (before.isEmpty ? [newest] : before), "the new task is kept only if no task is live")
      let isJudged = isSuspended || statuses[newest] != .waiting
      expect(isJudged, "a new task that keeps the current ones never waits for them")
    case .debounce:
      let debounced = tasks(.waiting).filter { if case .debounce = modes[$0] { true } else { false } }
      expect(debounced.allSatisfy { $0 == newest }, "only the newest debounced task waits")
    case .throttle:
      let throttled = tasks(.waiting).filter { if case .throttle = modes[$0] { true } else { false } }
      expect(throttled.count <= 1, "at most one throttled task waits")
    }
  }

  mutating func end(_ task: UInt64, keepsUntilForgotten: Bool = false) {
    let keepsUntilForgotten = keepsUntilForgotten && statuses[task] == .running
    if statuses[task] == .running { statuses[task] = keepsUntilForgotten ? .known : .ended }
    if statuses[task] == .leaving { statuses[task] = .dropped }
    event { $0.end(task, keepsUntilForgotten: keepsUntilForgotten, &$1) }
  }

  mutating func forget(_ task: UInt64) {
    if statuses[task] == .known { statuses[task] = .ended }
    event { lane, _ in lane.forget(task) }
  }

  mutating func ring(_ timer: UInt64) {
    timers[timer] = nil
    event { $0.ring(timer, &$1) }
  }

  mutating func cancel(_ task: UInt64) {
    let before = live
    event { $0.cancel(task, &$1) }
    expect(live == before.filter { $0 != task }, "a cancellation drops the given task and no other")
  }

  mutating func cancelAll() {
    event { $0.cancelAll(&$1) }
    expect(live.isEmpty && known.isEmpty, "no task is live or known after all were canceled")
    let isEmpty = occupants.isEmpty && !isSuspended
    expect(lane.isEmpty == isEmpty, "after all were canceled, only bodies and the suspension are remembered")
  }

  mutating func suspend() {
    isSuspended = true
    event { lane, _ in lane.suspend() }
  }

  mutating func resume() {
    let before = live
    isSuspended = false
    event { $0.resume(&$1) }
    let dropped = before.filter { !live.contains($0) }
    let drops = live.contains { task in if case .debounce = modes[task] { true } else { false } }
    expect(dropped.isEmpty || drops, "resuming drops nothing, unless a debounced task starts")
  }

  /// Resumes the lane, ends all bodies and fires all timers until there are no more of either, and checks how each task
  /// ended.
  mutating func finish() {
    resume()
    while let task = occupants.first { end(task) }
    while !timers.isEmpty {
      for timer in pendingTimers { ring(timer) }
      while let task = occupants.first { end(task) }
    }
    for task in known { forget(task) }
    for task in 1..<(newest + 1) {
      let wasDropped = timesDropped[task, default: 0]
      expect(wasDropped <= 1, "no task is dropped twice")
      expect(statuses[task] == (wasDropped == 1 ? .dropped : .ended), "each task has ended or was dropped")
      expect(started.contains(task) || wasDropped == 1, "a task that never started was dropped")
    }
    expect(lane.isEmpty && !lane.hasTasks, "nothing is left")
  }

  private func tasks(_ sought: Status...) -> [UInt64] {
    statuses.filter { sought.contains($0.value) }.keys.sorted()
  }

  private mutating func event(_ body: (inout TaskLane, inout [TaskLane.Command]) -> Void) {
    var commands: [TaskLane.Command] = []
    body(&lane, &commands)
    for command in commands { carryOut(command) }
    expect(lane.hasTasks == !live.isEmpty, "the lane has tasks while a task is live")
    if lane.isEmpty { expect((live + occupants + known).isEmpty, "an empty lane has no tasks") }
    guard !isSuspended else { return expect(!lane.isEmpty, "a suspension is not forgotten") }
    let needless = tasks(.waiting).filter { [.parallel, .dropCurrent, .keepCurrent].contains(modes[$0]) }
    expect(needless.isEmpty, "tasks that wait for nothing else wait only during a suspension")
    if occupants.isEmpty && known.isEmpty && timers.isEmpty {
      expect(lane.isEmpty, "the lane is empty once nothing more can happen")
    }
  }

  private mutating func carryOut(_ command: TaskLane.Command) {
    switch command {
    case .start(let task):
      expect(statuses[task] == .waiting, "only a waiting task starts, and only once")
      start(task)
    case .drop(let task):
      timesDropped[task, default: 0] += 1
      expect(live.contains(task) || known.contains(task), "only a live or known task is dropped")
      statuses[task] = statuses[task] == .running ? .leaving : .dropped
    case .schedule(let timer, let duration):
      expect(timers.updateValue(duration, forKey: timer) == nil, "each timer has its own number")
      expect(duration > .zero, "a requested timer has a delay above zero")
    }
  }

  private func runsUnlessSuspended(_ task: UInt64) -> Bool {
    statuses[task] == (isSuspended ? .waiting : .running)
  }

  private mutating func start(_ task: UInt64) {
    expect(!isSuspended, "nothing starts while the lane is suspended")
    switch modes[task] {
    case .waitInCurrent:
      expect(occupants.isEmpty, "two tasks never run at once")
      expect(tasks(.waiting).first == task, "first in, first out")
    case .debounce:
      expect(tasks(.running, .known).isEmpty, "a debounced task drops running and known tasks before it starts")
    case .dropCurrent:
      expect(live.first == task && known.isEmpty, "a task that drops the current ones does so before it starts")
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
