/// The identity of a tree that shows another moment than the present. It is only compared: the tree may be gone.
package struct ShownMoment {
  fileprivate let tree: UnsafeRawPointer

  /// Calls a function that reacts to a moment: what it dispatches to that tree is dropped.
  package static func react(to moment: ShownMoment?, _ body: () -> Void) {
    Platform.ThreadLocal.shownMoment.with(moment?.tree, body)
  }
}

/// Showing another moment than the present.
extension Tree {
  /// The identity of this tree's moments. From any thread.
  var moment: ShownMoment { ShownMoment(tree: pointer) }

  /// The moment that the calling thread shows to an observer of this tree, on another queue than the tree's; nil if it
  /// shows none.
  var momentOfObserver: ShownMoment? { Platform.ThreadLocal.shownMoment.value == pointer ? moment : nil }

  /// `true` if a monitor records the tree.
  @usableFromInline var isRecorded: Bool { listener?.isRecording == true }

  /// `true` while the tree shows another moment than the present.
  var isTravelling: Bool { travel != nil }

  /// `true` if actions that arrive now are dropped.
  @usableFromInline var dropsActions: Bool { travel?.dropsActions == true }

  /// `true` if the calling thread is in a callback to which another moment than the present is shown. From any thread.
  @usableFromInline var isShowingMoment: Bool {
    isRecorded && (isInside ? showsMoment : Platform.ThreadLocal.shownMoment.value == pointer)
  }

  /// `true` if observers are shown another moment than the present right now. On the tree's queue.
  var showsMoment: Bool { isRecorded && travel?.isEnding == false }

  /// Calls an observer on another queue than the tree's.
  ///
  /// - Parameter isMoment: ``showsMoment`` when the state was read that the observer is given.
  func callObserver(showingMoment isMoment: Bool, _ observe: () -> Void) {
    // Also with `false`: an observer of a moment may bring the tree back, and so have others called inside its own call.
    guard isRecorded else { return observe() }
    Platform.ThreadLocal.shownMoment.with(isMoment ? pointer : nil, observe)
  }

  /// Begins to hold back what must not happen while another moment is shown. On the tree's queue, between two entries.
  ///
  /// - Parameters:
  ///   - dropsActions: `true` if actions that arrive are dropped, `false` if they wait.
  ///   - heldActions: Counts the actions that wait.
  ///   - comeBack: Ends the travel. Called where a caller waits for a step of its own.
  package func beginTravel(
    dropsActions: Bool,
    counting heldActions: HeldActions,
    comeBack: @escaping (_ isReleased: Bool) -> Void
  ) {
    listener?.willTravel()
    travel = Travel(dropsActions: dropsActions, counting: heldActions, comeBack: comeBack)
    mailbox.withLock { $0.isTravelling = true }
  }

  /// Makes the shown states the present, by a step in which `updateEffects` is called. On the tree's queue, between two
  /// entries.
  package func goOnFromShownStates(updateEffects: () -> Void) {
    endTravel(withNewStates: true)
    requestEffects { updateEffects() }
    notifyOfOwnStates()
  }

  /// Lets everything go on that was held back, behind this moment and in front of what else waits. On the tree's queue,
  /// between two entries.
  package func endTravel(withNewStates: Bool = false) {
    guard let travel else { return }
    self.travel = nil
    listener?.didTravel(toNewStates: withNewStates)
    mailbox.withLock { $0.isTravelling = false }
    begun -= travel.count
    travel.release(to: &current)
  }

  /// Takes out what must wait of the entries that were taken out of the mailbox. They count as having begun: who waits
  /// for a state is shown the moment. Before an action for which somebody waits, the tree comes back.
  package func holdEntries() {
    guard let travel else { return }
    begun += travel.hold(from: &current) {
      QueuedWork(with: self) { [unowned self] _ in
        // It was not accepted, so that it does not count.
        begun -= 1
        if let travel = self.travel { comeBack(from: travel) }
      }
    }
  }

  /// Brings the tree back to the present, and runs what was held back, for a caller who waits for a step of its own.
  ///
  /// - All entries that were held back run: some of them were accepted after entries that were not held back, so that
  ///   the position, which counts both, says nothing of them.
  func comeBack(runningUntil position: UInt64) {
    while let travel {
      var held = travel.count
      comeBack(from: travel)
      while held > 0, !isTravelling, runNext() { held -= 1 }
      run(until: position)
    }
  }

  private func comeBack(from travel: Travel) {
    enter(.other)
    travel.comeBack(false)
    if self.travel === travel { endTravel() }
  }

  /// Brings the tree back to the present in its turn, as its root's owner was released: nobody else may do it.
  func comeBackForGood() {
    guard listener?.isRecording == true else { return }
    afterAccepted { [self] in travel?.comeBack(true) }
  }

  /// Shows the present, whose states were written again, to the derived values and the observers: what these dispatch
  /// arrives as it does otherwise. On the tree's queue, between two entries.
  func notifyOfPresent() {
    travel?.isEnding = true
    notifyOfOwnStates()
  }

  /// Shows the nodes' own states, which were changed by no action, to the derived values and the observers: a step. On
  /// the tree's queue, between two entries.
  package func notifyOfOwnStates() {
    revision &+= 1
    root?._withUnsafeGuaranteedRef { root in root.notifyAll?(root) }
    derivedUpdates.updateAndNotify(in: self)
  }

  /// Notifies observers of states that no action has made. On the tree's queue, between two entries.
  package func notifyOfNewStates() {
    // A journal must not go on from the last action.
    listener?.didTravel(toNewStates: true)
    notifyOfOwnStates()
  }

  /// Requests and performs effects outside the step of an action. On the tree's queue, between two entries.
  ///
  /// - Parameter cause: The cause of the effects; nil if that is the code that runs here and now.
  package func requestEffects(causedBy cause: ActionCause? = nil, _ request: () -> Void) {
    enter(.effects)
    isPerformingEffects = true
    if let cause { run(causedBy: cause, request) } else { request() }
    isPerformingEffects = false
  }

  /// Runs a body on the tree's queue, between two entries, after everything accepted before: outside the tree's
  /// callbacks before this function returns, in a callback after it.
  package func runBetweenEntries(_ body: @escaping @Sendable () -> Void) {
    guard !isInside else { return afterAccepted(.other, body) }
    wait(for: "travel", body)
    main.deliverNow()
  }
}
