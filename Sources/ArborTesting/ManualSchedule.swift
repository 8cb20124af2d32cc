package import Arbor
package import Dispatch

/// The mailboxes that wait for a manual executor, in the order in which they had work.
package final class ManualSchedule: Executor {
  private struct Plan: Sendable {
    var waiting: [any Drainable] = []
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
      if !plan.isClosed { plan.waiting.append(mailbox) }
      return plan.isClosed
    }
    if isClosed { QueueExecutor().wake(mailbox, quality: quality) }
  }

  package func taskWaits(for mailbox: any Drainable) {
    mailbox.catchUp()
  }

  /// The quality of service of each wake so far.
  package var asked: [DispatchQoS] {
    plan.withLock { $0.asked }
  }

  /// Each mailbox that waits or runs, once.
  var mailboxes: [any Drainable] {
    var seen: Set<ObjectIdentifier> = []
    return plan.withLock { plan in plan.waiting + plan.running }
      .filter { seen.insert(ObjectIdentifier($0)).inserted }
  }

  /// Runs one entry of the mailbox whose turn it is.
  ///
  /// - Returns: Whether there was one.
  func step() -> Bool {
    while let mailbox = next() {
      let isWaiting = mailbox.waiting > 0
      mailbox.step()
      plan.withLock { plan in plan.running.removeAll { $0 === mailbox } }
      if isWaiting { return true }
    }
    return false
  }

  /// Lets the mailboxes go on by themselves, now and from now on.
  func close() {
    let waiting = plan.withLock { plan in
      plan.isClosed = true
      defer { plan.waiting = [] }
      return plan.waiting
    }
    for mailbox in waiting {
      QueueExecutor().wake(mailbox, quality: mailbox.quality)
    }
  }

  private func next() -> (any Drainable)? {
    plan.withLock { plan in
      guard !plan.waiting.isEmpty else { return nil }
      let mailbox = plan.waiting.removeFirst()
      plan.running.append(mailbox)
      return mailbox
    }
  }
}
