/// What becomes of the tasks with one key. It only decides; whoever asks does what it says.
///
/// Tasks are known by numbers. What is dropped is over for whoever waits for it; its body, if it has begun, still takes up
/// room here until it has ended.
package struct TaskLane: Sendable {
  package enum Command: Equatable, Sendable {
    /// The task is to start.
    case start(UInt64)

    /// The task is to be cancelled, whether it runs or waits.
    case drop(UInt64)

    /// After so much time the lane is to be told that the timer has rung.
    case schedule(timer: UInt64, after: Duration)
  }

  /// A task that waits for a timer.
  private struct Delayed: Sendable {
    let task: UInt64
    let timer: UInt64
  }

  /// The time after the start of a throttled task.
  private struct Window: Sendable {
    let timer: UInt64
    let duration: Duration
    var latest: UInt64?
  }

  private var running: Set<UInt64> = []

  /// Those that were dropped, and whose bodies have not ended.
  private var leaving: Set<UInt64> = []

  private var queue: [UInt64] = []
  private var delayed: Delayed?
  private var window: Window?
  private var lastTimer: UInt64 = 0

  package init() {}

  /// Whether there is nothing to be remembered.
  package var isEmpty: Bool { !isRunning && leaving.isEmpty && window == nil }

  /// Whether any task runs or waits that was not dropped.
  package var isRunning: Bool { !running.isEmpty || !queue.isEmpty || isDelaying }

  private var isDelaying: Bool { delayed != nil || window?.latest != nil }

  /// A task comes.
  package mutating func arrive(_ task: UInt64, _ mode: TaskMode) -> [Command] {
    switch mode {
    case .parallel:
      return [start(task)]
    case .dropCurrent:
      return dropAll() + [start(task)]
    case .waitInCurrent:
      queue.append(task)
      return startQueued()
    case .keepCurrent:
      return [isRunning ? .drop(task) : start(task)]
    case .debounce(let duration):
      let replaced = delayed?.task
      delayed = Delayed(task: task, timer: nextTimer())
      return drop(replaced) + [.schedule(timer: lastTimer, after: max(duration, .zero))]
    case .throttle(let duration, let latest):
      guard let window else { return start(task, andWait: max(duration, .zero)) }
      guard latest else { return [.drop(task)] }
      self.window?.latest = task
      return drop(window.latest)
    }
  }

  /// The body of a task has ended.
  package mutating func end(_ task: UInt64) -> [Command] {
    if running.remove(task) == nil { leaving.remove(task) }
    return startQueued()
  }

  /// A timer has rung.
  package mutating func ring(_ timer: UInt64) -> [Command] {
    if let delayed, delayed.timer == timer {
      self.delayed = nil
      return dropRunning() + [start(delayed.task)]
    }
    guard let window, window.timer == timer else { return [] }
    self.window = nil
    guard let latest = window.latest else { return startQueued() }
    return start(latest, andWait: window.duration)
  }

  /// A task is to be cancelled.
  package mutating func cancel(_ task: UInt64) -> [Command] {
    if running.remove(task) != nil {
      leaving.insert(task)
      return [.drop(task)]
    }
    if delayed?.task == task {
      delayed = nil
    } else if window?.latest == task {
      window?.latest = nil
    } else if let index = queue.firstIndex(of: task) {
      queue.remove(at: index)
    } else {
      return []
    }
    return [.drop(task)] + startQueued()
  }

  /// All tasks are to be cancelled; what comes now begins anew.
  package mutating func cancelAll() -> [Command] {
    let commands = dropAll()
    window = nil
    return commands
  }

  private mutating func start(_ task: UInt64) -> Command {
    running.insert(task)
    return .start(task)
  }

  private mutating func start(_ task: UInt64, andWait duration: Duration) -> [Command] {
    window = Window(timer: nextTimer(), duration: duration)
    return [start(task), .schedule(timer: lastTimer, after: duration)]
  }

  /// Starts the first that waits for all others, if there are no others.
  private mutating func startQueued() -> [Command] {
    guard !queue.isEmpty, running.isEmpty, leaving.isEmpty, !isDelaying else { return [] }
    return [start(queue.removeFirst())]
  }

  private func drop(_ task: UInt64?) -> [Command] {
    task.map { [.drop($0)] } ?? []
  }

  private mutating func dropRunning() -> [Command] {
    let dropped = running.sorted()
    leaving.formUnion(running)
    running = []
    return dropped.map { .drop($0) }
  }

  private mutating func dropAll() -> [Command] {
    let waiting = queue + [delayed?.task, window?.latest].compactMap(\.self)
    queue = []
    delayed = nil
    window?.latest = nil
    return dropRunning() + waiting.map { .drop($0) }
  }

  private mutating func nextTimer() -> UInt64 {
    lastTimer += 1
    return lastTimer
  }
}
