/// The time in which a recorded tree shows another moment than the present: the entries that wait for its end.
///
/// - Held back are actions, unless they are dropped, activities, what state effects do by the state, events for monitors,
///   and releases, which follow the actions that were accepted before them. Everything else goes on: subscriptions, and
///   waits that read the state.
/// - On the tree's queue only.
final class Travel {
  /// `true` if actions that arrive are dropped, `false` if they wait.
  let dropsActions: Bool

  /// Brings the tree back to the present. Called for a caller who waits for a step of its own, or, with `true`, as the
  /// root was released.
  let comeBack: (_ isReleased: Bool) -> Void

  private var held = EntryQueue()

  /// The number of entries that are held back.
  private(set) var count: UInt64 = 0

  init(dropsActions: Bool, comeBack: @escaping (_ isReleased: Bool) -> Void) {
    self.dropsActions = dropsActions
    self.comeBack = comeBack
  }

  /// Takes the entries out of a queue that must wait. Returns their number.
  func hold(from queue: inout EntryQueue) -> UInt64 {
    let before = count
    queue.moveEntries(to: &held) { entry in
      guard isHeld(entry) else { return false }
      count += 1
      return true
    }
    return count - before
  }

  /// Puts the entries that have waited in front of those in a queue.
  func release(to queue: inout EntryQueue) {
    queue.moveEntries(to: &held) { _ in true }
    swap(&queue, &held)
  }

  private func isHeld(_ entry: EntryQueue.Entry) -> Bool {
    switch WaitingEntry.Kind(of: entry) {
    case .actions: !dropsActions
    case .activity, .effect, .event, .release: true
    case .subscription, .other: false
    }
  }
}

extension EntryQueue {
  /// Moves the entries for which a closure returns `true` to the end of another queue. The others stay, in order.
  mutating func moveEntries(to other: inout EntryQueue, where isMoved: (Entry) -> Bool) {
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
