import Arbor
import Dispatch

/// An executor that runs deliveries where derived values are about to be told, as another thread might.
final class InterruptedExecutor: Executor, @unchecked Sendable {  // One thread has it.
  var interruptsSettling = false
  private var mailboxes: [any Drainable] = []
  private var deliveries: [@Sendable () -> Void] = []
  private var running: (any Drainable)?

  func wake(_ mailbox: any Drainable, quality: DispatchQoS) {
    mailboxes.append(mailbox)
  }

  func deliver(on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void) {
    deliveries.append(work)
  }

  func schedule(
    after duration: Duration,
    on clock: any Clock<Duration>,
    _ work: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void { {} }

  func inspection(clock: any Clock<Duration>) -> (any TreeInspection)? { nil }
  var taskExecutor: (any TaskExecutor)? { nil }
  func taskWaits(for mailbox: any Drainable) {}
  func taskWaits(until isDone: () -> Bool) {}
  func canWait(for mailbox: any Drainable) -> Bool { running == nil }

  func willSettle(_ mailbox: any Drainable) {
    if interruptsSettling { Mailbox.asOtherThread { runDeliveries() } }
  }

  func stepMailbox() {
    guard !mailboxes.isEmpty else { return }
    running = mailboxes.removeFirst()
    running?.step()
    running = nil
  }

  func run() {
    while !mailboxes.isEmpty || !deliveries.isEmpty {
      stepMailbox()
      runDeliveries()
    }
  }

  private func runDeliveries() {
    let now = deliveries
    deliveries = []
    for delivery in now { delivery() }
  }
}
