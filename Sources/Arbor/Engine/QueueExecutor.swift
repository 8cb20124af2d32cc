public import Dispatch

/// The executor of production: each wake is a block on the tree's own dispatch queue.
@usableFromInline
package struct QueueExecutor: Executor {
  /// After so many entries the thread is let go, so that whoever waits for the queue gets his turn.
  static let batch = 1024

  @usableFromInline
  package init() {}

  @usableFromInline
  package func taskWaits(for mailbox: any Drainable) {}

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
