/// The identity of a tree that shows a moment other than the present. It is only compared: the tree may be gone.
package struct ShownMoment {
  fileprivate let tree: UnsafeRawPointer

  /// Calls a function that reacts to a moment. Actions that it dispatches to that tree are dropped.
  package static func react(to moment: ShownMoment?, _ body: () -> Void) {
    Platform.ThreadLocal.shownMoment.with(moment?.tree, body)
  }
}

/// Showing states that don't result from an action: those of another moment, or new ones.
extension Tree {
  /// The identity of this tree's moments. May be read from any thread.
  package var moment: ShownMoment { ShownMoment(tree: pointer) }

  /// The moment that the calling thread shows to an observer of this tree, on a queue other than the tree's; nil if
  /// there is none.
  package var momentOfObserver: ShownMoment? { Platform.ThreadLocal.shownMoment.value == pointer ? moment : nil }

  /// `true` if a monitor may close the gate, and show moments other than the present.
  @usableFromInline var mayShowMoments: Bool { listener?.mayShowMoments == true }

  /// `true` if the calling thread is in a callback that is shown a moment other than the present. May be read from any
  /// thread.
  @usableFromInline package var isShowingMoment: Bool {
    mayShowMoments && (isInside ? showsMoment : Platform.ThreadLocal.shownMoment.value == pointer)
  }

  /// `true` if observers are currently shown a moment other than the present. Only used on the tree's queue.
  package var showsMoment: Bool { mayShowMoments && gated.gate?.showsMoment == true }

  /// Calls an observer on a queue other than the tree's.
  ///
  /// - Parameter isMoment: The value of ``showsMoment`` when the observer's state was read.
  package func callObserver(showingMoment isMoment: Bool, _ observe: () -> Void) {
    // Also called with `false`: an observer of a moment may return the tree to the present, and so have others called
    // inside its own call.
    guard mayShowMoments else { return observe() }
    Platform.ThreadLocal.shownMoment.with(isMoment ? pointer : nil, observe)
  }

  /// Shows the nodes' own states to the observers, as a step, after a change without an action. Called on the tree's
  /// queue, between two entries.
  package func notifyOfOwnStates() {
    step.revision &+= 1
    root?._withUnsafeGuaranteedRef { root in root.notifyAll?(root) }
    actAfterObservers()
  }

  /// Notifies observers of states that don't result from an action. Called on the tree's queue, between two entries.
  package func notifyOfNewStates() {
    // A journal must not continue from the last action.
    listener?.didReturnToPresent(withNewStates: true)
    notifyOfOwnStates()
  }

  /// Requests and performs effects outside the step of an action. Called on the tree's queue, between two entries.
  ///
  /// - Parameter cause: The cause of the effects; nil if it is the code that runs here and now.
  package func requestEffects(causedBy cause: ActionCause? = nil, _ request: () -> Void) {
    enter(.effects)
    step.isPerformingEffects = true
    if let cause { run(causedBy: cause, request) } else { request() }
    step.isPerformingEffects = false
  }

  /// Runs a body on the tree's queue, between two entries, after everything already accepted.
  ///
  /// - Outside the tree's callbacks, the body runs before this function returns; in a callback, it runs later.
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

  /// The gate in front of the entries, if it is closed. Only used on the tree's queue.
  package var gate: (any EntryGate)? { gated.gate }

  /// Closes a gate in front of the entries. No other gate may be closed. Called on the tree's queue, between two
  /// entries.
  package func closeGate(_ gate: any EntryGate) {
    precondition(gated.gate == nil, "the tree has one gate")
    listener?.willLeavePresent()
    gated.gate = gate
    mailbox.withLock { $0.isGated = true }
  }

  /// Opens the gate: the entries that waited there run next, before all others. Called on the tree's queue, between two
  /// entries.
  package func openGate(withNewStates: Bool = false) {
    guard gated.gate != nil else { return }
    gated.gate = nil
    listener?.didReturnToPresent(withNewStates: withNewStates)
    mailbox.withLock { $0.isGated = false }
  }

  /// Opens the gate, and runs the entries that waited, for a caller that waits for its own step.
  func openGate(runningUntil position: UInt64) {
    while let gate = gated.gate {
      open(gate)
      run(until: position)
    }
  }

  /// Moves an entry to the closed gate if it must wait there. A caller that reads the state doesn't wait for it.
  ///
  /// - If a caller waits for the entry's step, the gate is opened, and the entry runs after those that waited there.
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

  /// The number of the running entry, in the order of acceptance; between two entries, the number of the last one.
  package var runningEntry: UInt64 { gated.running > 0 ? gated.running : begun }

  /// The number of turns so far. An entry that waited at the gate has had two, so that no two running entries have the
  /// same number.
  package var turn: UInt64 { begun &+ gated.released }

  /// Opens the gate when its turn comes, because the root's owner was released: no other caller may still open it.
  func openGateForGood() {
    guard mayShowMoments else { return }
    afterAccepted { [self] in gated.gate?.open(isRootGone: true) }
  }
}
