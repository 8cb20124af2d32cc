public import Dispatch

/// What decides when a tree's waiting work is run.
@usableFromInline
package protocol Executor: Sendable {
  /// Arranges for one later `drain(atMost:)` of the mailbox on its queue. Must not call it before returning.
  func wake(_ mailbox: any Drainable, quality: DispatchQoS)

  /// A task is about to suspend until what the mailbox has accepted is done.
  func taskWaits(for mailbox: any Drainable)
}
