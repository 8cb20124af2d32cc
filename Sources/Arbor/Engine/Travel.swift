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

  /// `true` once the states are those of the present again.
  var isEnding = false

  private var held = EntryQueue()

  /// The number of entries that are held back.
  private(set) var count: UInt64 = 0

  private let heldActions: HeldActions

  init(dropsActions: Bool, counting heldActions: HeldActions, comeBack: @escaping (_ isReleased: Bool) -> Void) {
    self.dropsActions = dropsActions
    self.heldActions = heldActions
    self.comeBack = comeBack
  }

  /// Takes the entries out of a queue that must wait. Returns their number.
  ///
  /// - If somebody waits for a step of an entry, `comeBack` is put before that entry, and what is behind it stays.
  func hold(from queue: inout EntryQueue, comeBack: () -> QueuedWork) -> UInt64 {
    let before = count
    var isAwaited = false
    var following = EntryQueue()
    queue.moveEntries(to: &following) { entry in
      if case .awaitedActions = WaitingEntry.Kind(of: entry) { isAwaited = true }
      return isAwaited
    }
    queue.moveEntries(to: &held) { entry in
      let kind = WaitingEntry.Kind(of: entry)
      guard isHeld(kind) else { return false }
      count += 1
      if case .actions = kind { heldActions.add() }
      return true
    }
    if isAwaited {
      queue.append(Unmanaged.passUnretained(QueuedWork.handler)).initializeMemory(as: QueuedWork.self, to: comeBack())
      following.moveEntries(to: &queue) { _ in true }
    }
    return count - before
  }

  /// Puts the entries that have waited in front of those in a queue.
  func release(to queue: inout EntryQueue) {
    queue.moveEntries(to: &held) { _ in true }
    swap(&queue, &held)
    heldActions.clear()
  }

  private func isHeld(_ kind: WaitingEntry.Kind) -> Bool {
    switch kind {
    case .actions: !dropsActions
    case .awaitedActions: false
    case .activity, .effect, .event, .release: true
    case .subscription, .other: false
    }
  }
}

/// The number of actions that a tree holds back while it shows another moment; a batch counts as one.
///
/// - Read from any thread. Changed on the tree's queue only.
package final class HeldActions: Sendable {
  private let number = AtomicNumber(0)

  package var count: Int { number.loadRelaxed() }

  fileprivate func add() {
    number.add(1)
  }

  fileprivate func clear() {
    number.store(0)
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
