/// Decides about the tasks of one key: which start, which wait and which are dropped.
///
/// A pure state machine. Each event appends commands, which the caller carries out in their order, outside its lock.
///
/// - The caller gives each task a number of its own, greater than all numbers before it.
/// - A task that was told to start occupies the lane until the caller says that its body has ended, dropped or not. So
///   say it of each, also of one that was dropped before its body began.
/// - A task gets one of: nothing but a start, a start and then a drop, or nothing but a drop. The drop may come when it
///   has ended, while it is to be known.
/// - A timer has the number of the task for which it was asked. One that rings when nothing waits for it any more does
///   nothing, so none need be cancelled.
/// - A lane whose tasks come one after the other allocates nothing. Each event is O(1), but for those that drop many:
///   these are O(1) for each one dropped.
package struct TaskLane: Sendable {
  /// A command that the caller is to carry out.
  package enum Command: Sendable, Hashable {
    /// The body of the task is to run.
    case start(UInt64)

    /// The task is not to run, or not any more: it is cancelled, and what it dispatched is revoked.
    case drop(UInt64)

    /// The timer is to ring after a time that is not zero.
    case schedule(timer: UInt64, after: Duration)
  }

  /// Started, not dropped, and not ended.
  private var running = TaskList()

  /// Dropped while they ran, and not ended: they hold up those that wait in the queue, and nobody else.
  private var leaving = TaskList()

  /// Ended, while actions of them wait: they hold up nobody, but are dropped with those that run.
  private var ended = TaskList()

  /// The tasks that wait for all before them to end.
  private var queue = TaskList()

  /// The one that waits for its timer.
  private var debounced: UInt64?

  /// The one that waits for the window to end, and how long its own window will be.
  private var throttled: (task: UInt64, window: Duration)?

  /// The timer at which the open window ends.
  private var windowEnd: UInt64?

  package init() {}

  /// `true` if a task runs or waits; one that was dropped does neither, and an open window alone is no task.
  package var isRunning: Bool {
    !running.isEmpty || !queue.isEmpty || debounced != nil || throttled != nil
  }

  /// `true` if the lane has nothing to remember: no task runs or waits, no body runs on, no action waits, and no window is
  /// open.
  package var isEmpty: Bool {
    !isRunning && leaving.isEmpty && ended.isEmpty && windowEnd == nil
  }

  /// A new task has come.
  package mutating func arrive(_ task: UInt64, _ mode: TaskMode, _ commands: inout [Command]) {
    switch mode {
    case .parallel:
      start(task, &commands)
    case .dropCurrent:
      dropAll(&commands)
      start(task, &commands)
    case .waitInCurrent:
      queue.append(task)
      startNext(&commands)
    case .keepCurrent where isRunning:
      commands.append(.drop(task))
    case .keepCurrent:
      start(task, &commands)
    case .debounce(let delay):
      debounce(task, delay, &commands)
    case .throttle(let window, let latest):
      throttle(task, window, latest: latest, &commands)
    }
  }

  /// The body of a task that was started has ended, or will never begin.
  ///
  /// - Parameter isToBeKnown: Whether it is to be known, and dropped with others, until it is forgotten.
  package mutating func end(_ task: UInt64, keepsUntilForgotten: Bool, _ commands: inout [Command]) {
    guard running.remove(task) || leaving.remove(task) else { return }
    if keepsUntilForgotten { ended.append(task) }
    startNext(&commands)
  }

  /// No action of a task that has ended waits any more.
  package mutating func forget(_ task: UInt64) {
    _ = ended.remove(task)
  }

  /// A timer has rung.
  package mutating func ring(_ timer: UInt64, _ commands: inout [Command]) {
    if debounced == timer {
      debounced = nil
      dropRunning(&commands)
      start(timer, &commands)
    } else if windowEnd == timer {
      windowEnd = nil
      guard let (task, window) = throttled else { return }
      throttled = nil
      startThrottled(task, window, &commands)
    }
  }

  /// A task that runs or waits is cancelled; nothing happens if it was dropped before or has ended.
  package mutating func cancel(_ task: UInt64, _ commands: inout [Command]) {
    if running.remove(task) {
      leaving.append(task)
    } else if debounced == task {
      debounced = nil
    } else if throttled?.task == task {
      throttled = nil
    } else if !queue.remove(task) {
      return
    }
    commands.append(.drop(task))
    startNext(&commands)
  }

  /// All tasks are cancelled, and an open window is closed.
  package mutating func cancelAll(_ commands: inout [Command]) {
    dropAll(&commands)
    closeWindow()
  }

  /// An open window is closed.
  package mutating func closeWindow() {
    windowEnd = nil
  }

  /// `true` if a timer is to ring.
  package func isAwaiting(_ timer: UInt64) -> Bool {
    debounced == timer || windowEnd == timer
  }

  private mutating func debounce(_ task: UInt64, _ delay: Duration, _ commands: inout [Command]) {
    if let debounced { commands.append(.drop(debounced)) }
    debounced = task
    guard delay > .zero else { return ring(task, &commands) }
    commands.append(.schedule(timer: task, after: delay))
    startNext(&commands)
  }

  private mutating func throttle(
    _ task: UInt64,
    _ window: Duration,
    latest: Bool,
    _ commands: inout [Command]
  ) {
    guard windowEnd != nil else { return startThrottled(task, window, &commands) }
    guard latest else { return commands.append(.drop(task)) }
    if let throttled { commands.append(.drop(throttled.task)) }
    throttled = (task, window)
    startNext(&commands)
  }

  private mutating func startThrottled(_ task: UInt64, _ window: Duration, _ commands: inout [Command]) {
    start(task, &commands)
    guard window > .zero else { return }
    windowEnd = task
    commands.append(.schedule(timer: task, after: window))
  }

  private mutating func start(_ task: UInt64, _ commands: inout [Command]) {
    running.append(task)
    commands.append(.start(task))
  }

  /// Starts the first of the queue if nothing occupies the lane and nothing that waits for a timer came before it.
  private mutating func startNext(_ commands: inout [Command]) {
    guard running.isEmpty, leaving.isEmpty, let next = queue.first else { return }
    if let debounced, debounced < next { return }
    if let throttled, throttled.task < next { return }
    _ = queue.popFirst()
    start(next, &commands)
  }

  private mutating func dropRunning(_ commands: inout [Command]) {
    while let task = ended.popFirst() {
      commands.append(.drop(task))
    }
    while let task = running.popFirst() {
      leaving.append(task)
      commands.append(.drop(task))
    }
  }

  private mutating func dropAll(_ commands: inout [Command]) {
    dropRunning(&commands)
    while let task = queue.popFirst() {
      commands.append(.drop(task))
    }
    if let debounced { commands.append(.drop(debounced)) }
    if let throttled { commands.append(.drop(throttled.task)) }
    debounced = nil
    throttled = nil
  }
}

/// The numbers of tasks in the order in which they were added; adding, finding and taking out any of them is O(1).
///
/// A list that never has more than one member at a time allocates nothing, and one that becomes empty gives its memory
/// back.
struct TaskList: Sendable {
  private struct Links {
    var previous: UInt64?
    var next: UInt64?
  }

  /// The member that was added before all others.
  private(set) var first: UInt64?

  private var last: UInt64?

  /// The neighbours of each member; a member that never had any may be left out.
  private var links: [UInt64: Links] = [:]

  var isEmpty: Bool { first == nil }

  /// Adds a task that is not in the list.
  mutating func append(_ task: UInt64) {
    if let last {
      links[last, default: Links()].next = task
      links[task] = Links(previous: last)
    } else {
      first = task
    }
    last = task
  }

  /// Takes a task out.
  ///
  /// - Returns: Whether it was in the list.
  mutating func remove(_ task: UInt64) -> Bool {
    guard first != last else {
      guard first == task else { return false }
      self = TaskList()
      return true
    }
    guard let removed = links.removeValue(forKey: task) else { return false }
    if let previous = removed.previous {
      links[previous]?.next = removed.next
    } else {
      first = removed.next
    }
    if let next = removed.next {
      links[next]?.previous = removed.previous
    } else {
      last = removed.previous
    }
    return true
  }

  /// Takes the first one out.
  mutating func popFirst() -> UInt64? {
    guard let first else { return nil }
    _ = remove(first)
    return first
  }
}
