internal import Arbor

extension Recorder {
  /// Shows the state at a position of the recording.
  ///
  /// - Parameter position: The number of actions before the state, from 0 to the recording's ``Recording/count``.
  /// - Throws: ``RecordingError`` if there is no such position, or no store.
  public func travel(to position: Int) throws(RecordingError) {
    try show { recording throws(RecordingError) in try recording.jump(to: position) }
  }

  /// Shows the state after a number of entries, counted from the first entry of all time.
  func travel(toPlace place: Int) throws(RecordingError) {
    try show { recording throws(RecordingError) in
      let (position, isTooFar) = place.subtractingReportingOverflow(recording.firstPlace)
      try recording.jump(to: isTooFar ? .min : position)
    }
  }

  /// Shows the state a number of positions away from the shown one.
  ///
  /// - Parameter distance: The number of positions, negative for an earlier state. The recording must have the resulting
  ///   position.
  /// - Throws: ``RecordingError/noStore`` without a store, and ``RecordingError/noSuchPosition(_:count:)`` if the
  ///   distance is too large.
  public func step(by distance: Int) throws(RecordingError) {
    try show { recording throws(RecordingError) in try recording.step(by: distance) }
  }

  /// Leaves an action out of the past, or includes it again, and shows the resulting state.
  ///
  /// - When the present is shown again, the past is restored, unless the program continues from the shown moment.
  /// - Parameter number: The number of the action, ``Recording/Entry/id``.
  /// - Throws: ``RecordingError/noStore`` without a store, and ``RecordingError/noSuchAction(_:)`` without the action.
  public func toggle(_ number: Int) throws(RecordingError) {
    try show(changesPast: true) { recording throws(RecordingError) in try recording.toggle(number) }
  }

  /// Leaves an action and everything it caused out of the past, or includes them again, and shows the resulting state.
  ///
  /// - Parameter number: The number of the action, ``Recording/Entry/id``.
  /// - Throws: ``RecordingError/noStore`` without a store, and ``RecordingError/noSuchAction(_:)`` without the action.
  public func toggleEpoch(of number: Int) throws(RecordingError) {
    try show(changesPast: true) { recording throws(RecordingError) in try recording.toggleEpoch(of: number) }
  }

  /// Shows the present again, exactly as it was, and continues with the actions that waited.
  ///
  /// It does nothing in the present.
  public func resume() {
    guard let live = content.withLock({ $0.live }) else { return }
    _ = live.tree.run { [self] in comeBack(.resumed) }
  }

  /// Makes the shown moment the present, from which the program continues.
  ///
  /// - The actions after it are dropped. Actions that waited follow it.
  /// - Effects that the state doesn't request are canceled, and the ones that it requests start, like after any step.
  /// - Returns: The dropped actions, and the ones that were left out; empty in the present, and in a callback of the
  ///   tree.
  @discardableResult
  public func continueFromHere() -> [Recording<State, Action>.Entry] {
    guard let live = content.withLock({ $0.live }) else { return [] }
    let dropped = Protected<[Recording<State, Action>.Entry]>([])
    _ = live.tree.run { [self] in
      let entries = adoptMoment(of: live)
      dropped.withLock { $0 = entries }
    }
    return dropped.withLock { $0 }
  }

  /// Stops recording until ``startRecording()`` is called.
  public func stopRecording() {
    guard let live = content.withLock({ $0.live }) else { return }
    _ = live.tree.run { [self] in
      takeNotes()
      running.isPaused = true
      content.withLock { $0.isStopped = true }
    }
  }

  /// Starts recording again after ``stopRecording()``. The recording starts over with the current states.
  public func startRecording() {
    guard let live = content.withLock({ $0.live }) else { return }
    _ = live.tree.run { [self] in
      comeBack(.resumed)
      guard content.withLock({ $0.isStopped }), let state = live.root.typedState else { return }
      let states = live.tree.allStores.compactMap { store in store.state.map { (store, $0) } }
      let released = content.withLock { content in
        let before = content.recording
        var children: [UInt64: any Sendable] = [:]
        for (store, state) in states where store !== live.root {
          let place = content.recording!.firstPlace + content.recording!.count
          content.recording!.children[store.store.id] =
            RecordedChild(
              store.store,
              reducer: store,
              birth: place,
              state: state,
              made: content.recording!.children[store.store.id]?.made ?? .zero
            )
          children[store.store.id] = state
        }
        content.recording!.begin(at: state, childStates: children)
        content.recording!.lastState = nil
        content.bytes = 0
        content.isStopped = false
        content.pastRevision += 1
        return before
      }
      (running.isPaused, running.room) = (false, checkpointInterval)
      withExtendedLifetime(released) {}
    }
  }

  /// Shows the recording after a command.
  private func show(
    changesPast: Bool = false,
    _ command: @escaping @Sendable (inout Recording<State, Action>) throws(RecordingError) -> Void
  ) throws(RecordingError) {
    guard let live = content.withLock({ $0.live }) else { throw .noStore }
    // A callback can't wait for its turn, so its errors come from the current recording.
    let isInside = live.tree.isInside
    if isInside {
      guard var recording else { throw .noStore }
      try command(&recording)
    }
    let failure = Protected<RecordingError?>(nil)
    let isThere = live.tree.run { [self] in
      do throws(RecordingError) {
        try showInTurn(live, changesPast: changesPast, command)
      } catch {
        if isInside { Misuse.commandingTooLate.report(about: "\(error)") }
        failure.withLock { $0 = error }
      }
    }
    guard isThere else { throw .noStore }
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  private func showInTurn(
    _ live: Live,
    changesPast: Bool,
    _ command: (inout Recording<State, Action>) throws(RecordingError) -> Void
  ) throws(RecordingError) {
    // The root may have been released since the command found it.
    guard content.withLock({ $0.live }) != nil, var recording else { throw .noStore }
    try command(&recording)
    let present = content.withLock { $0.present } ?? leavePresent(live)
    live.root.show(recording.state(afterFirst: recording.position))
    let states = recording.childStates(at: recording.position)
    var newStores: [MonitoredStore] = []
    for (store, state) in present.states where store !== live.root {
      if states[store.store.id] == nil { newStores.append(store.store) }
      store.show(states[store.store.id] ?? state)
    }
    let there = Set(present.states.filter { $0.store.state != nil }.map(\.store.store.id))
    let gone = states.keys.filter { !there.contains($0) }.sorted().compactMap { recording.children[$0]?.store }
    let moment = ShownMoment(position: recording.position, goneStores: gone, newStores: newStores)
    let before = content.withLock { [recording] content in
      defer { (content.recording, content.moment) = (recording, moment) }
      if changesPast { content.pastRevision += 1 }
      return content.recording
    }
    live.tree.notifyOfMoment()
    withExtendedLifetime(before) {}
  }

  /// Saves the present for the return to it.
  private func leavePresent(_ live: Live) -> Present {
    takeNotes()
    running.isPaused = true
    let states = live.tree.allStores.compactMap { store in store.state.map { (store, $0) } }
    let travel = Travel(dropsActions: arrivingActions == .drop) { [weak self] isReleased in
      self?.comeBack(isReleased ? .released : .neededByCaller)
    }
    let present = content.withLock { content in
      let present = Present(
        recording: content.recording!, states: states, pastRevision: content.pastRevision, travel: travel)
      content.present = present
      return present
    }
    live.tree.closeGate(present.travel)
    return present
  }

  /// Shows the present again. Called on the tree's queue, between two entries.
  private func comeBack(_ reason: ReturnReason) {
    let (present, live, before) = content.withLock { content in
      defer {
        if let present = content.present {
          content.recording = present.recording
          if present.pastRevision != content.pastRevision { content.pastRevision += 1 }
        }
        (content.present, content.moment) = (nil, nil)
      }
      return (content.present, content.live, content.recording)
    }
    guard let present, let live else { return }
    running.isPaused = content.withLock { $0.isStopped }
    for (store, state) in present.states { store.show(state) }
    present.travel.end()
    live.tree.returnToPresent()
    measureFullBlocks()
    withExtendedLifetime(before) {}
    onReturn?(reason)
  }

  /// Makes the shown moment the present. Called on the tree's queue, between two entries.
  private func adoptMoment(of live: Live) -> [Recording<State, Action>.Entry] {
    guard let present = content.withLock({ $0.present }), var recording else { return [] }
    let leftOut = recording.entries.prefix(recording.position).filter(\.isSkipped)
    let dropped = recording.removeFollowing()
    let place = recording.firstPlace + recording.count
    for (store, _) in present.states where store !== live.root {
      guard let state = store.state else { continue }
      let id = store.store.id
      if recording.children[id]?.exists(at: place) != true {
        let made = present.recording.children[id]?.made ?? .zero
        recording.children[id] = RecordedChild(store.store, reducer: store, birth: place, state: state, made: made)
      }
    }
    for id in recording.children.keys where live.tree.store(id)?.state == nil { recording.children[id]!.death = place }
    recording.nextNumber = max(recording.nextNumber, present.recording.nextNumber)
    recording.lastState = nil
    let before = content.withLock { [recording] content in
      defer {
        (content.recording, content.present, content.moment) = (recording, nil, nil)
        content.bytes = recording.blocks.reduce(0) { $0 + $1.bytes }
        content.pastRevision += 1
      }
      return (content.recording, content.present)
    }
    running.isPaused = content.withLock { $0.isStopped }
    running.room = recording.roomInLastBlock
    live.tree.goOnFromShownStates()
    measureFullBlocks()
    withExtendedLifetime(before) {}
    return leftOut + dropped
  }
}

/// The gate that a recorder closes while its tree shows a moment other than the present.
///
/// - Actions wait at the gate, unless they are dropped. Activities, the work of state effects, events for monitors, and
///   releases wait, too, because they follow earlier actions.
/// - If anything waits, work that must not overtake it also waits (``WaitingEntry/Kind/following(needsPresent:)``).
/// - Everything else continues: subscriptions, and waits that read the state.
final class Travel: EntryGate {
  /// `true` if actions that arrive are dropped, `false` if they wait.
  let dropsActions: Bool

  private let comeBack: @Sendable (_ isReleased: Bool) -> Void
  private let isEnding = AtomicFlag(false)
  private let actions = AtomicNumber(0)

  /// - Parameter comeBack: Brings the tree back to the present. Called for a caller that waits for its own step, or, with
  ///   `true`, because the root was released.
  init(dropsActions: Bool, comeBack: @escaping @Sendable (_ isReleased: Bool) -> Void) {
    self.dropsActions = dropsActions
    self.comeBack = comeBack
  }

  /// The number of actions that wait; a batch counts as one. Can be read from any thread.
  var heldActions: Int { actions.loadRelaxed() }

  /// Ends the moment, after the stores got their present states again.
  func end() { isEnding.store(true) }

  var showsMoment: Bool { !isEnding.load() }

  func blocks(_ kind: WaitingEntry.Kind) -> Bool {
    switch kind {
    case .actions:
      if !dropsActions { actions.add(1) }
      return !dropsActions
    case .awaitedActions, .subscription, .following, .other: return false
    case .activity, .effect, .event, .release: return true
    }
  }

  func open(isRootGone: Bool) { comeBack(isRootGone) }
}
