package import Arbor
package import Dispatch

/// What waits for a manual executor, in the order in which it came.
package final class ManualSchedule: Executor, TaskExecutor {
  /// What a step may be.
  private enum Turn: Sendable {
    /// The next entry of a mailbox.
    case mailbox(any Drainable)

    /// What a subscriber or a timer waits for.
    case delivery(DispatchQueue, @Sendable () -> Void)
  }

  private struct Plan: Sendable {
    var turns: [Turn] = []

    /// Those whose turn it is: several if a callback steps other trees.
    var running: [any Drainable] = []
    var asked: [DispatchQoS] = []
    var isClosed = false
  }

  private let plan = Protected(Plan())

  package init() {}

  package func wake(_ mailbox: any Drainable, quality: DispatchQoS) {
    let isClosed = plan.withLock { plan in
      plan.asked.append(quality)
      if !plan.isClosed { plan.turns.append(.mailbox(mailbox)) }
      return plan.isClosed
    }
    if isClosed { QueueExecutor().wake(mailbox, quality: quality) }
  }

  package func deliver(on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void) {
    let isClosed = plan.withLock { plan in
      if !plan.isClosed { plan.turns.append(.delivery(queue, work)) }
      return plan.isClosed
    }
    if isClosed { QueueExecutor().deliver(on: queue, work) }
  }

  package func schedule(
    after duration: Duration,
    on clock: any Clock<Duration>,
    _ work: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void {
    let step: @Sendable () -> Void = { self.deliver(on: .global(), work) }
    if let clock = clock as? TestClock {
      return clock.schedule(after: duration, step)
    } else {
      return QueueExecutor().schedule(after: duration, on: clock, step)
    }
  }

  package var taskExecutor: (any TaskExecutor)? { self }

  /// A part of a task, from one suspension to the next, is a step.
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    deliver(on: .global()) { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  package func taskWaits(for mailbox: any Drainable) {
    mailbox.catchUp()
  }

  package func taskWaits(until isDone: () -> Bool) {
    // A task that this executor runs goes on when whoever steps it does.
    let isMine = withUnsafeCurrentTask { task in task?.unownedTaskExecutor == asUnownedTaskExecutor() }
    while !isMine, !isDone(), step() {}
  }

  /// The quality of service of each wake so far.
  package var asked: [DispatchQoS] {
    plan.withLock { $0.asked }
  }

  /// The number of steps that wait.
  var pending: Int {
    var seen: Set<ObjectIdentifier> = []
    let (mailboxes, deliveries) = plan.withLock { plan in
      var mailboxes = plan.running
      var deliveries = 0
      for turn in plan.turns {
        switch turn {
        case .mailbox(let mailbox): mailboxes.append(mailbox)
        case .delivery: deliveries += 1
        }
      }
      return (mailboxes, deliveries)
    }
    return mailboxes.filter { seen.insert(ObjectIdentifier($0)).inserted }
      .reduce(deliveries) { count, mailbox in count + mailbox.waiting }
  }

  /// Takes the next turn.
  ///
  /// - Returns: Whether there was one.
  func step() -> Bool {
    while let turn = next() {
      switch turn {
      case .delivery(_, let work):
        work()
        return true
      case .mailbox(let mailbox):
        let isWaiting = mailbox.waiting > 0
        mailbox.step()
        plan.withLock { plan in plan.running.removeAll { $0 === mailbox } }
        if isWaiting { return true }
      }
    }
    return false
  }

  /// Lets everything go on by itself, now and from now on.
  func close() {
    let turns = plan.withLock { plan in
      plan.isClosed = true
      defer { plan.turns = [] }
      return plan.turns
    }
    for turn in turns {
      switch turn {
      case .mailbox(let mailbox): QueueExecutor().wake(mailbox, quality: mailbox.quality)
      case .delivery(let queue, let work): QueueExecutor().deliver(on: queue, work)
      }
    }
  }

  private func next() -> Turn? {
    plan.withLock { plan in
      guard !plan.turns.isEmpty else { return nil }
      let turn = plan.turns.removeFirst()
      if case .mailbox(let mailbox) = turn { plan.running.append(mailbox) }
      return turn
    }
  }
}
