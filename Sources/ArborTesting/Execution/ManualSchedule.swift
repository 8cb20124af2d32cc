package import Arbor
package import Dispatch

/// The work that waits for a manual executor, and the order in which it runs.
package final class ManualSchedule: TreeExecutor {
  /// The content of a schedule under its lock.
  struct Plan: Sendable {
    var turns = TurnQueue()
    var order: StepOrder

    /// The number of turns that have arrived so far.
    var count: UInt64 = 0

    /// The callers that wait for the next turn, by their own numbers.
    var waiters: [UInt64: CheckedContinuation<Bool, Never>] = [:]
    var lastWaiter: UInt64 = 0

    /// The turns of mailboxes whose next entry is held; the other turns don't include them.
    var parked: [Turn] = []

    /// The mailboxes whose actions run only when a caller requests them.
    var held: [ObjectIdentifier: Tree] = [:]

    /// The mailboxes whose turn it is: several if a callback steps other trees.
    var running: [any Drainable] = []

    /// The inspections of the trees, each as long as its tree exists.
    var inspections: [@Sendable () -> TaskInspection?] = []
    var asked: [DispatchQoS] = []
    var isClosed = false
  }

  let plan: Protected<Plan>

  init(_ order: StepOrder) {
    plan = Protected(Plan(order: order))
  }

  /// Accepts work to run.
  ///
  /// - Returns: `true` if it was accepted; `false` if the schedule is closed.
  func append(_ work: Turn.Work) -> Bool {
    let (isClosed, waiters) = plan.withLock { plan in
      guard !plan.isClosed else { return (true, [:] as [UInt64: CheckedContinuation<Bool, Never>]) }
      plan.count += 1
      plan.turns.append(Turn(number: plan.count, work: work))
      defer { plan.waiters = [:] }
      return (false, plan.waiters)
    }
    for waiter in waiters.values { waiter.resume(returning: true) }
    return !isClosed
  }

  // MARK: Requests of a tree

  package func inspection(clock: any Clock<Duration>) -> (any TreeInspection)? {
    let inspection = TaskInspection(isTimeManual: clock is any ManualClock) { [weak self] in
      guard let self else { return false }
      run()
      return !isClosed
    }
    plan.withLock { plan in
      plan.inspections.removeAll { $0() == nil }
      plan.inspections.append { [weak inspection] in inspection }
    }
    return inspection
  }

  package func wake(_ tree: any Drainable, quality: DispatchQoS) {
    plan.withLock { $0.asked.append(quality) }
    if !append(.tree(tree)) { QueueExecutor().wake(tree, quality: quality) }
  }

  package func deliver(on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void) {
    runSoon(.delivery(queue, work))
  }

  package func schedule(
    after duration: Duration,
    on clock: any Clock<Duration>,
    _ work: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void {
    let step: @Sendable () -> Void = { self.runSoon(.timer(work)) }
    guard let clock = clock as? any ManualClock else {
      return QueueExecutor().schedule(after: duration, on: clock, step)
    }
    return clock.schedule(after: duration, step) { [weak self] in self?.run() }
  }

  package func startTask(
    priority: TaskPriority?,
    _ body: @escaping @Sendable () async -> Void
  ) -> Task<Void, Never> {
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else {
      return QueueExecutor().startTask(priority: priority, body)
    }
    return Task.detached(executorPreference: self, priority: priority, operation: body)
  }

  fileprivate func runSoon(_ work: Turn.Work) {
    guard !append(work) else { return }
    switch work {
    case .timer(let work), .part(let work): QueueExecutor().deliver(on: .global(), work)
    case .delivery(let queue, let work): QueueExecutor().deliver(on: queue, work)
    case .tree(let tree): QueueExecutor().wake(tree, quality: tree.quality)
    }
  }

  package func canWait(for tree: any Drainable) -> Bool {
    plan.withLock { plan in !plan.running.contains { $0 === tree } }
  }

  package func mayInterrupt(_ tree: any Drainable) {}

  package func taskWaits(for tree: any Drainable) {
    // A task that this executor runs resumes when the stepping thread has reached the awaited entry.
    guard !isMine || !isHolding(tree) else { return }
    tree.runAccepted()
  }

  package func taskWaits(until isDone: () -> Bool) {
    while !isMine, !isDone() {
      if step() { continue }
      // Nothing else is left that could bring the awaited result.
      guard let held = plan.withLock({ $0.parked.first }), case .tree(let tree) = held.work else { break }
      tree.runAccepted()
    }
    if !isMine, !isDone() { watchWait() }
  }

  /// `true` if this executor runs the current task.
  private var isMine: Bool {
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return false }
    return withUnsafeCurrentTask { task in task?.unownedTaskExecutor == asUnownedTaskExecutor() }
  }

  /// `true` after the executor was released, so that everything runs by itself.
  var isClosed: Bool { plan.withLock { $0.isClosed } }

  /// The quality of service of each wake-up so far.
  package var asked: [DispatchQoS] {
    plan.withLock { $0.asked }
  }

  /// Lets all work continue by itself, now and from now on.
  func close() {
    let turns = plan.withLock { plan in
      plan.isClosed = true
      defer { (plan.turns, plan.parked) = (TurnQueue(), []) }
      return plan.parked + Array(plan.turns.all)
    }
    for turn in turns { runSoon(turn.work) }
  }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension ManualSchedule: TaskExecutor {
  /// Adds a part of a task, from one suspension to the next, as a step.
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    runSoon(.part { job.runSynchronously(on: self.asUnownedTaskExecutor()) })
  }
}
