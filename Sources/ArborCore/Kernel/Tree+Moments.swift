/// The identity of a tree that shows another moment than the present. It is only compared: the tree may be gone.
package struct ShownMoment {
  fileprivate let tree: UnsafeRawPointer

  /// Calls a function that reacts to a moment: what it dispatches to that tree is dropped.
  package static func react(to moment: ShownMoment?, _ body: () -> Void) {
    Platform.ThreadLocal.shownMoment.with(moment?.tree, body)
  }
}

/// Showing states that no action has made: those of another moment, or new ones.
extension Tree {
  /// The identity of this tree's moments. From any thread.
  package var moment: ShownMoment { ShownMoment(tree: pointer) }

  /// The moment that the calling thread shows to an observer of this tree, on another queue than the tree's; nil if it
  /// shows none.
  package var momentOfObserver: ShownMoment? { Platform.ThreadLocal.shownMoment.value == pointer ? moment : nil }

  /// `true` if a monitor may close the gate, and show other moments than the present.
  @usableFromInline var mayShowMoments: Bool { listener?.mayShowMoments == true }

  /// `true` if the calling thread is in a callback to which another moment than the present is shown. From any thread.
  @usableFromInline package var isShowingMoment: Bool {
    mayShowMoments && (isInside ? showsMoment : Platform.ThreadLocal.shownMoment.value == pointer)
  }

  /// `true` if observers are shown another moment than the present right now. On the tree's queue.
  package var showsMoment: Bool { mayShowMoments && gated.gate?.showsMoment == true }

  /// Calls an observer on another queue than the tree's.
  ///
  /// - Parameter isMoment: ``showsMoment`` when the state was read that the observer is given.
  package func callObserver(showingMoment isMoment: Bool, _ observe: () -> Void) {
    // Also with `false`: an observer of a moment may bring the tree back, and so have others called inside its own call.
    guard mayShowMoments else { return observe() }
    Platform.ThreadLocal.shownMoment.with(isMoment ? pointer : nil, observe)
  }

  /// Shows the nodes' own states, which were changed by no action, to the observers: a step. On the tree's queue, between
  /// two entries.
  package func notifyOfOwnStates() {
    step.revision &+= 1
    root?._withUnsafeGuaranteedRef { root in root.notifyAll?(root) }
    actAfterObservers()
  }

  /// Notifies observers of states that no action has made. On the tree's queue, between two entries.
  package func notifyOfNewStates() {
    // A journal must not go on from the last action.
    listener?.didReturnToPresent(withNewStates: true)
    notifyOfOwnStates()
  }

  /// Requests and performs effects outside the step of an action. On the tree's queue, between two entries.
  ///
  /// - Parameter cause: The cause of the effects; nil if that is the code that runs here and now.
  package func requestEffects(causedBy cause: ActionCause? = nil, _ request: () -> Void) {
    enter(.effects)
    step.isPerformingEffects = true
    if let cause { run(causedBy: cause, request) } else { request() }
    step.isPerformingEffects = false
  }

  /// Runs a body on the tree's queue, between two entries, after everything accepted before: outside the tree's
  /// callbacks before this function returns, in a callback after it.
  ///
  /// - Parameter call: The name of the waiting call, for the message about a long wait.
  package func runBetweenEntries(for call: StaticString, _ body: @escaping @Sendable () -> Void) {
    guard !isInside else { return afterAccepted(.other, body) }
    wait(for: call, body)
    actAfterWait()
  }
}

/// The gate in front of the entries.
extension Tree {
  /// `true` if actions that arrive now are dropped.
  @usableFromInline var dropsActions: Bool { gated.gate?.dropsActions == true }

  /// The gate in front of the entries, if it is closed. On the tree's queue.
  package var gate: (any EntryGate)? { gated.gate }

  /// Closes a gate in front of the entries; none must be closed. On the tree's queue, between two entries.
  package func closeGate(_ gate: any EntryGate) {
    precondition(gated.gate == nil, "the tree has one gate")
    listener?.willLeavePresent()
    gated.gate = gate
    mailbox.withLock { $0.isGated = true }
  }

  /// Opens the gate: the entries that have waited there run next, before all others. On the tree's queue, between two
  /// entries.
  package func openGate(withNewStates: Bool = false) {
    guard gated.gate != nil else { return }
    gated.gate = nil
    listener?.didReturnToPresent(withNewStates: withNewStates)
    mailbox.withLock { $0.isGated = false }
  }

  /// Opens the gate, and runs the entries that have waited, for a caller who waits for a step of its own.
  func openGate(runningUntil position: UInt64) {
    while let gate = gated.gate {
      open(gate)
      run(until: position)
    }
  }

  /// Moves an entry to the gate, which is closed, if it must wait there. A caller that reads the state does not wait for it.
  ///
  /// - If a caller waits for the step of the entry, the gate is opened, and the entry follows those that have waited there.
  /// - Returns: `true` if the entry was moved.
  func holdAtGate(_ entry: EntryQueue.Entry, _ gate: any EntryGate) -> Bool {
    let kind = WaitingEntry.Kind(of: entry)
    switch kind {
    case .awaitedActions:
      gated.add(entry, number: begun)
      open(gate)
      // The gate may have called observers.
      actAfterObservers()
    case .following(let needsPresent):
      guard gated.count > 0 || needsPresent && gate.showsMoment else { return false }
      gated.add(entry, number: begun)
    default:
      guard gate.blocks(kind) else { return false }
      gated.add(entry, number: begun)
    }
    return true
  }

  private func open(_ gate: any EntryGate) {
    enter(.other)
    gate.open(isRootGone: false)
    if gated.gate === gate { openGate() }
  }

  /// The number of the running entry, in the order of acceptance; between two entries, of the last one.
  package var runningEntry: UInt64 { gated.running > 0 ? gated.running : begun }

  /// The number of entries that have had their turn, and of those that have had another after the gate: no two that run
  /// have the same.
  package var turn: UInt64 { begun &+ gated.released }

  /// Opens the gate in its turn, as the root's owner was released: no one else may do it any more.
  func openGateForGood() {
    guard mayShowMoments else { return }
    afterAccepted { [self] in gated.gate?.open(isRootGone: true) }
  }
}
