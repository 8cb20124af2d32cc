package import Arbor
package import Dispatch

/// The mailboxes that wait for a manual executor, in the order in which they had work.
package final class ManualSchedule: Executor {
  private struct Plan: Sendable {
    var waiting: [any Drainable] = []
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
    if isClosed { mailbox.queue.async { mailbox.discardAll() } }
  }

  /// The quality of service of each wake so far.
  package var asked: [DispatchQoS] {
    plan.withLock { $0.asked }
  }

  /// Each mailbox that waits, once.
  var mailboxes: [any Drainable] {
    var seen: Set<ObjectIdentifier> = []
    return plan.withLock { $0.waiting }.filter { seen.insert(ObjectIdentifier($0)).inserted }
  }

  func next() -> (any Drainable)? {
    plan.withLock { plan in plan.waiting.isEmpty ? nil : plan.waiting.removeFirst() }
  }

  func close() {
    let abandoned = plan.withLock { plan in
      plan.isClosed = true
      defer { plan.waiting = [] }
      return plan.waiting
    }
    for mailbox in abandoned {
      mailbox.queue.async { mailbox.discardAll() }
    }
  }
}
