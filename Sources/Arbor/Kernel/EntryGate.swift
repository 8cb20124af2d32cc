/// A gate that a capability closes in front of a tree's entries: some of them wait until it is opened.
///
/// - While it is closed, observers may be shown other states than the present ones: a *moment*.
/// - It is used on the tree's queue only.
package protocol EntryGate: AnyObject, Sendable {
  /// `true` if actions that arrive are dropped.
  var dropsActions: Bool { get }

  /// `true` if observers are shown a moment right now.
  var showsMoment: Bool { get }

  /// Decides whether an entry waits. Called in order, for each entry until it is blocked or runs; it may be called again for
  /// one that is not blocked.
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

  /// Takes the entries that must wait out of a queue. Returns their number.
  ///
  /// - If a caller waits for the step of an entry, `opening` is put before that entry, and the entries after it stay.
  func block(from queue: inout EntryQueue, opening: () -> QueuedWork) -> UInt64 {
    let before = count
    var isAwaited = false
    var following = EntryQueue()
    queue.moveEntries(to: &following) { entry in
      if case .awaitedActions = WaitingEntry.Kind(of: entry) { isAwaited = true }
      return isAwaited
    }
    queue.moveEntries(to: &blocked) { entry in
      guard gate.blocks(WaitingEntry.Kind(of: entry)) else { return false }
      count += 1
      return true
    }
    if isAwaited {
      queue.append(Unmanaged.passUnretained(QueuedWork.handler)).initializeMemory(as: QueuedWork.self, to: opening())
      following.moveEntries(to: &queue) { _ in true }
    }
    return count - before
  }

  /// Puts the entries that have waited in front of those in a queue.
  func release(to queue: inout EntryQueue) {
    queue.moveEntries(to: &blocked) { _ in true }
    swap(&queue, &blocked)
  }
}

extension EntryQueue {
  /// Moves the entries for which a closure returns `true` to the end of another queue. The others stay, in order.
  fileprivate mutating func moveEntries(to other: inout EntryQueue, where isMoved: (Entry) -> Bool) {
    var kept = EntryQueue()
    visit { entry in
      let place = isMoved(entry) ? other.append(entry.handler) : kept.append(entry.handler)
      // Every Swift value may be moved by its bytes.
      place.copyMemory(from: entry.payload, byteCount: entry.handler._withUnsafeGuaranteedRef { $0.stride })
    }
    swap(&self, &kept)
  }
}

extension WaitingEntry.Kind {
  /// The kind of an entry in a queue. Handlers of nodes have actions, and nothing else.
  fileprivate init(of entry: EntryQueue.Entry) {
    let isWork = entry.handler.toOpaque() == Unmanaged.passUnretained(QueuedWork.handler).toOpaque()
    self = isWork ? entry.payload.assumingMemoryBound(to: QueuedWork.self).pointee.kind : .actions
  }
}
