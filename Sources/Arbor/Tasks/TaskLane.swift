/// The decisions about the tasks of one key: which of them start, wait or are dropped.
///
/// A pure state machine. Each event appends commands for the caller to carry out, in the order of their effects.
///
/// - The caller gives each task its own number, greater than all earlier numbers.
/// - A task that received a ``Command/start(_:)`` occupies the lane until the caller calls
///   ``end(_:keepsUntilForgotten:_:)`` for it. Call that for each such task, even if it was dropped before its body
///   ran, and for no other.
/// - A reservation can be made for tasks that may come later, with a number from the same sequence. It counts as a
///   waiting task, but doesn't hold up the queue.
/// - A task receives only a start, a start and then a drop, or only a drop. The drop may come after the task has ended,
///   as long as the task is kept until it is forgotten.
/// - A timer has the number of the task for which it was scheduled. Nothing happens if it rings when nothing waits for
///   it anymore, so a timer doesn't need to be canceled.
/// - If the tasks of a lane come one after the other, it doesn't allocate memory. Each event is O(1), except for events
///   that drop many tasks, which are O(1) for each dropped task.
package struct TaskLane: Sendable {
  /// A command for the caller to carry out.
  package enum Command: Sendable, Hashable {
    /// Run the body of the task.
    case start(UInt64)

    /// Cancel the task and revoke its actions. If it wasn't started, it never starts. Or give up the reservation: the
    /// tasks it was made for never start.
    case drop(UInt64)

    /// Let the timer ring after a duration that isn't zero.
    case schedule(timer: UInt64, after: Duration)
  }

  /// The tasks that were started, weren't dropped, and haven't ended.
  private var running = TaskList()

  /// The tasks that were dropped while they ran, and haven't ended: they hold up the queue, but no other task.
  private var leaving = TaskList()

  /// The ended tasks whose actions still wait: they don't hold up other tasks, but are dropped together with the
  /// running ones.
  private var ended = TaskList()

  /// The tasks that wait for all earlier ones to end.
  private var queue = TaskList()

  /// The reservations, in order.
  private var reserved: [UInt64] = []

  /// `true` while no task may start.
  package private(set) var isSuspended = false

  /// The tasks that only wait for the lane to be resumed.
  private var held = TaskList()

  /// The task that waits for its debounce timer, or after the timer has fired, for the lane to be resumed.
  private var debounced: UInt64?

  /// `true` if the timer of the debounced task has fired.
  private var isDebouncedDue = false

  /// The task that waits for the window to end, or for the lane to be resumed, and the duration of its own window.
  private var throttled: (task: UInt64, window: Duration)?

  /// The timer that ends the open window; nil if no window is open.
  private var windowEnd: UInt64?

  package init() {}

  /// `true` if a task runs or waits, or has a reservation. A dropped task doesn't count, nor does an open window
  /// without a task.
  package var hasTasks: Bool { hasTasks(before: .max) }

  /// Returns `true` if a task runs or waits, or if there is a reservation before another one.
  private func hasTasks(before reservation: UInt64) -> Bool {
    !running.isEmpty || !queue.isEmpty || !held.isEmpty || debounced != nil || throttled != nil
      || reserved.first.map { $0 < reservation } == true
  }

  /// `true` if the lane can be removed.
  ///
  /// - No task runs or waits, no body of a dropped task is still running, no action of an ended task waits, no window
  ///   is open, and the lane isn't suspended.
  package var isEmpty: Bool {
    !hasTasks && leaving.isEmpty && ended.isEmpty && windowEnd == nil && !isSuspended
  }

  /// Adds a new task, which starts, waits or is dropped according to its mode.
  ///
  /// - Parameter reservation: The reservation of the task: it comes before reservations that were made later.
  package mutating func arrive(
    _ task: UInt64,
    _ mode: TaskMode,
    reservation: UInt64 = .max,
    _ commands: inout [Command]
  ) {
    switch mode {
    case .parallel:
      start(task, &commands)
    case .dropCurrent:
      dropAll(&commands)
      giveUp(before: reservation, &commands)
      start(task, &commands)
    case .waitInCurrent:
      queue.append(task)
      startNext(&commands)
    case .keepCurrent where hasTasks(before: reservation):
      commands.append(.drop(task))
    case .keepCurrent:
      start(task, &commands)
    case .debounce(let delay):
      debounce(task, delay, &commands)
    case .throttle(let window, let latest):
      throttle(task, window, latest: latest, &commands)
    }
  }

  /// Makes a reservation for tasks that may come later.
  ///
  /// - Parameter reservation: The number of the reservation, greater than all earlier numbers.
  package mutating func reserve(_ reservation: UInt64) {
    reserved.append(reservation)
  }

  /// Removes a reservation: its tasks have come, or won't come. Does nothing if it was given up.
  package mutating func release(_ reservation: UInt64) {
    reserved.removeAll { $0 == reservation }
  }

  /// Ends a task that received a start command: it has ended or will never run.
  ///
  /// - Parameter keepsUntilForgotten: `true` if the task can be dropped, to revoke its actions, until it is forgotten.
  package mutating func end(_ task: UInt64, keepsUntilForgotten: Bool, _ commands: inout [Command]) {
    guard running.remove(task) || leaving.remove(task) else { return }
    if keepsUntilForgotten { ended.append(task) }
    startNext(&commands)
  }

  /// Forgets an ended task: none of its actions waits anymore.
  package mutating func forget(_ task: UInt64) {
    _ = ended.remove(task)
  }

  /// Handles a timer that has fired.
  package mutating func ring(_ timer: UInt64, _ commands: inout [Command]) {
    if debounced == timer {
      isDebouncedDue = true
    } else if windowEnd == timer {
      windowEnd = nil
    }
    startDue(&commands)
  }

  /// Cancels a task that runs or waits, or gives up a reservation. Does nothing if the task was dropped or has ended.
  package mutating func cancel(_ task: UInt64, _ commands: inout [Command]) {
    if running.remove(task) {
      leaving.append(task)
    } else if debounced == task {
      debounced = nil
    } else if throttled?.task == task {
      throttled = nil
    } else if let index = reserved.firstIndex(of: task) {
      reserved.remove(at: index)
    } else if !queue.remove(task), !held.remove(task) {
      return
    }
    commands.append(.drop(task))
    startNext(&commands)
  }

  /// Cancels all tasks, gives up all reservations, and closes an open window.
  package mutating func cancelAll(_ commands: inout [Command]) {
    dropAll(&commands)
    clear(&commands)
  }

  /// Gives up all reservations, and closes an open window.
  package mutating func clear(_ commands: inout [Command]) {
    giveUp(before: .max, &commands)
    windowEnd = nil
  }

  /// Prevents tasks from starting until the lane is resumed. Running tasks, timers and windows continue.
  package mutating func suspend() {
    isSuspended = true
  }

  /// Lets tasks start again, and starts those that wait for nothing else.
  package mutating func resume(_ commands: inout [Command]) {
    isSuspended = false
    startDue(&commands)
    while let task = held.first {
      // A task that waits for all earlier ones and came earlier has its turn first.
      if let next = queue.first, next < task { startNext(&commands) }
      _ = held.popFirst()
      start(task, &commands)
    }
    startNext(&commands)
  }

  /// Returns `true` if a task or an open window waits for the timer.
  package func isAwaiting(_ timer: UInt64) -> Bool {
    debounced == timer && !isDebouncedDue || windowEnd == timer
  }

  private mutating func debounce(_ task: UInt64, _ delay: Duration, _ commands: inout [Command]) {
    if let debounced { commands.append(.drop(debounced)) }
    debounced = task
    isDebouncedDue = false
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
    // A task that waits for the lane to be resumed represents the window that it will open.
    let isWindowOpen = windowEnd != nil || throttled != nil
    guard latest || !isWindowOpen else { return commands.append(.drop(task)) }
    if let throttled { commands.append(.drop(throttled.task)) }
    throttled = (task, window)
    startDue(&commands)
    startNext(&commands)
  }

  private mutating func startThrottled(_ task: UInt64, _ window: Duration, _ commands: inout [Command]) {
    start(task, &commands)
    guard window > .zero else { return }
    windowEnd = task
    commands.append(.schedule(timer: task, after: window))
  }

  /// Starts the debounced task if its timer has fired, and the throttled task if no window is open.
  private mutating func startDue(_ commands: inout [Command]) {
    guard !isSuspended else { return }
    if isDebouncedDue, let task = debounced.take() {
      dropRunning(&commands)
      start(task, &commands)
    }
    if windowEnd == nil, let (task, window) = throttled.take() { startThrottled(task, window, &commands) }
  }

  /// Starts a task, or holds it while the lane is suspended.
  private mutating func start(_ task: UInt64, _ commands: inout [Command]) {
    guard !isSuspended else { return held.append(task) }
    running.append(task)
    commands.append(.start(task))
  }

  /// Starts the first task of the queue if no task runs, no dropped body is still running, and no older task waits for
  /// a timer.
  private mutating func startNext(_ commands: inout [Command]) {
    guard !isSuspended, running.isEmpty, leaving.isEmpty, let next = queue.first else { return }
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

  /// Gives up the reservations before another one.
  private mutating func giveUp(before reservation: UInt64, _ commands: inout [Command]) {
    let end = reserved.firstIndex { $0 >= reservation } ?? reserved.endIndex
    for reservation in reserved[..<end] { commands.append(.drop(reservation)) }
    reserved.removeFirst(end)
  }

  private mutating func dropAll(_ commands: inout [Command]) {
    dropRunning(&commands)
    while let task = queue.popFirst() {
      commands.append(.drop(task))
    }
    while let task = held.popFirst() {
      commands.append(.drop(task))
    }
    if let debounced { commands.append(.drop(debounced)) }
    if let throttled { commands.append(.drop(throttled.task)) }
    debounced = nil
    throttled = nil
  }
}
