public import Dispatch

/// The executor of production: each wake is a block on the tree's own dispatch queue.
@usableFromInline
package struct QueueExecutor: Executor {
  /// After so many entries the thread is let go, so that whoever waits for the queue gets his turn.
  static let batch = 1024

  /// A century: clocks cannot add any duration to the time of day.
  static let longestDelay = Duration.seconds(100 * 365 * 86_400)

  @usableFromInline
  package init() {}

  @usableFromInline
  package func inspection(clock: any Clock<Duration>) -> (any TreeInspection)? { nil }

  @usableFromInline package var taskExecutor: (any TaskExecutor)? { nil }

  @usableFromInline
  package func canWait(for mailbox: any Drainable) -> Bool { true }

  @usableFromInline
  package func willSettle(_ mailbox: any Drainable) {}

  @usableFromInline
  package func taskWaits(for mailbox: any Drainable) {}

  @usableFromInline
  package func taskWaits(until isDone: () -> Bool) {}

  @usableFromInline
  package func deliver(on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void) {
    queue.async(execute: work)
  }

  @usableFromInline
  package func schedule(
    after duration: Duration,
    on clock: any Clock<Duration>,
    _ work: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void {
    let timer = Task.detached {
      // A clock that gives up early must not lose what waits for it.
      try? await clock.sleep(for: min(duration, QueueExecutor.longestDelay))
      if !Task.isCancelled { work() }
    }
    return { timer.cancel() }
  }

  @usableFromInline
  package func wake(_ mailbox: any Drainable, quality: DispatchQoS) {
    let drain: @Sendable @convention(block) () -> Void = { mailbox.drain(atMost: QueueExecutor.batch) }
    if quality == mailbox.quality {
      mailbox.queue.async(execute: drain)
    } else {
      mailbox.queue.async(qos: quality, flags: .enforceQoS, execute: drain)
    }
  }
}
