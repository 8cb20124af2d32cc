public import Dispatch

/// Accepted work that waits for an executor to run it.
@usableFromInline
package protocol Drainable: AnyObject, Sendable {
  /// The serial queue on which it must be drained.
  var queue: DispatchQueue { get }

  /// The quality of service that the queue has anyway.
  var quality: DispatchQoS { get }

  /// The number of entries that wait.
  var waiting: Int { get }

  /// Runs what was accepted before the call, on the calling thread, which must not be running work of the same tree.
  func catchUp()

  /// Runs the next entry, if any, on the calling thread, which must not be running work of the same tree; once for each
  /// wake.
  func step()

  /// Runs what waits, in order, but no more than so many entries. On the queue; once for each wake.
  func drain(atMost limit: Int)
}
