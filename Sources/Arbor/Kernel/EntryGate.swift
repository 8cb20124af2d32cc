/// A gate that a capability closes in front of a tree's entries: some of them wait until it is opened.
///
/// - While it is closed, observers may be shown other states than the present ones: a *moment*.
/// - It is used on the tree's queue only.
package protocol EntryGate: AnyObject, Sendable {
  /// `true` if actions that arrive are dropped.
  var dropsActions: Bool { get }

  /// `true` if observers are shown a moment right now.
  var showsMoment: Bool { get }

  /// Decides whether an entry waits. Called once for each entry, in its turn.
  func blocks(_ kind: WaitingEntry.Kind) -> Bool

  /// Opens the gate by ``Tree/openGate(withNewStates:)``. Called for a caller who waits for a step of its own, or, with
  /// `true`, as the root's owner was released.
  func open(isRootGone: Bool)
}

/// A closed gate, with the entries that wait there.
final class ClosedGate {
  let gate: any EntryGate

  private var blocked = EntryQueue()

  /// The number of entries that wait.
  private(set) var count: UInt64 = 0

  init(_ gate: any EntryGate) {
    self.gate = gate
  }

  /// Moves an entry here that was taken out of its queue just now.
  func block(_ entry: EntryQueue.Entry) {
    blocked.appendCopy(of: entry)
    count += 1
  }

  /// Puts the entries that have waited in front of those in a queue.
  func release(to queue: inout EntryQueue) {
    while let entry = queue.next() { blocked.appendCopy(of: entry) }
    swap(&queue, &blocked)
  }
}

extension EntryQueue {
  /// Adds an entry that was taken from another queue.
  fileprivate mutating func appendCopy(of entry: Entry) {
    // Every Swift value may be moved by its bytes.
    append(entry.handler)
      .copyMemory(from: entry.payload, byteCount: entry.handler._withUnsafeGuaranteedRef { $0.stride })
  }
}

extension WaitingEntry.Kind {
  /// The kind of an entry in a queue. Handlers of nodes have actions, and nothing else.
  init(of entry: EntryQueue.Entry) {
    let isWork = entry.handler.toOpaque() == Unmanaged.passUnretained(QueuedWork.handler).toOpaque()
    self = isWork ? entry.payload.assumingMemoryBound(to: QueuedWork.self).pointee.kind : .actions
  }
}
