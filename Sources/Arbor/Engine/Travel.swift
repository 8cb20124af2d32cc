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

extension Tree {
  /// `true` while the tree shows another moment than the present.
  var isTravelling: Bool { travel != nil }

  /// `true` if actions that arrive now are dropped.
  @usableFromInline var dropsActions: Bool { travel?.dropsActions == true }

  /// The number of entries that wait until the tree shows the present again. On the tree's queue.
  package var heldCount: Int { Int(travel?.count ?? 0) }

  /// Begins to hold back what must not happen while another moment is shown. On the tree's queue, between two entries.
  ///
  /// - Parameters:
  ///   - dropsActions: `true` if actions that arrive are dropped, `false` if they wait.
  ///   - comeBack: Ends the travel. Called where a caller waits for a step of its own.
  package func beginTravel(dropsActions: Bool, comeBack: @escaping (_ isReleased: Bool) -> Void) {
    travel = Travel(dropsActions: dropsActions, comeBack: comeBack)
    mailbox.withLock { $0.isTravelling = true }
    holdEntries()
  }

  /// Makes the shown states the present, by a step in which `updateEffects` is called. On the tree's queue, between two
  /// entries.
  package func goOnFromShownStates(updateEffects: () -> Void) {
    endTravel()
    enter(.effects)
    isPerformingEffects = true
    updateEffects()
    isPerformingEffects = false
    notifyOfOwnStates()
  }

  /// Lets everything go on that was held back, behind this moment and in front of what else waits. On the tree's queue,
  /// between two entries.
  package func endTravel() {
    guard let travel else { return }
    self.travel = nil
    mailbox.withLock { $0.isTravelling = false }
    begun -= travel.count
    travel.release(to: &current)
  }

  /// Takes out what must wait of the entries that were taken out of the mailbox. They count as having begun: who waits
  /// for a state is shown the moment.
  func holdEntries() {
    if let travel { begun += travel.hold(from: &current) }
  }

  /// Brings the tree back to the present, and runs what was held back, for a caller who waits for a step of its own.
  func comeBack(runningUntil position: UInt64) {
    guard let travel else { return }
    travel.comeBack(false)
    run(until: position)
  }

  /// Brings the tree back to the present in its turn, as its root's owner was released: nobody else may do it.
  func comeBackForGood() {
    guard listener?.isRecording == true else { return }
    afterAccepted { [self] in travel?.comeBack(true) }
  }

  /// Shows the nodes' own states, which were changed by no action, to the derived values and the observers: a step. On
  /// the tree's queue, between two entries.
  package func notifyOfOwnStates() {
    revision &+= 1
    root?._withUnsafeGuaranteedRef { root in root.notifyAll?(root) }
    derivedUpdates.updateAndNotify(in: self)
  }

  /// Runs a body on the tree's queue, between two entries, after everything accepted before: outside the tree's
  /// callbacks before this function returns, in a callback after it.
  package func runBetweenEntries(_ body: @escaping @Sendable () -> Void) {
    guard !isInside else { return afterAccepted(.other, body) }
    wait(for: "travel", body)
    main.deliverNow()
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
