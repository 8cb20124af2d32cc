package import Arbor

extension Recorder: StateRecorder {
  package func record(_ tree: Tree, root: RecordedStore, _ notes: RecordingNotes) -> Bool {
    guard let root = root as? TypedRecordedStore<State, Action>, let state = root.typedState else {
      Misuse.recordingOtherTypes.report(about: "\(Recorder.self)")
      return false
    }
    var recording = Recording(initialState: state, checkpointInterval: checkpointInterval, reducer: root.reduce)
    recording.rootStore = root.store
    recording.limit = limit
    recording.redactions = redactions
    // If the recording doesn't share the state, the store changes it without a copy.
    recording.lastState = nil
    let live = Live(tree: RecordedTree(tree, root: root), root: root)
    let isFirst = content.withLock { [recording] content in
      guard content.recording == nil else { return false }
      (content.live, content.recording) = (live, recording)
      return true
    }
    if isFirst {
      (running.tree, running.root, running.room) = (notes, root, recording.roomInLastBlock)
    } else {
      Misuse.recordingTwoTrees.report(about: "\(Recorder.self)")
    }
    return isFirst
  }

  package func record(_ child: RecordedStore) {
    content.withLock { $0.live }?.tree.add(child)
  }

  package func didReduce(_ number: UInt64, onlyBy store: RecordedStore?, begun: Int) {
    running.didReduce(number, onlyBy: store, begun: begun)
  }

  /// Moves the noted actions to the recording. Called on the tree's queue.
  ///
  /// - Parameter isBetweenSteps: `true` if the stores' states are the states after the last noted action.
  func takeNotes(isBetweenSteps: Bool = false) {
    guard !running.isEmpty, let live = content.withLock({ $0.live }) else { return }
    let room = running.room
    let taken = running.take()
    let (first, actions) = live.root.takeActions(upTo: taken.lastAction)
    let states = taken.states.map { $0 as! State }
    func add(to recording: inout Recording<State, Action>, endingWith end: Recording<State, Action>.BlockEnd) {
      recording.add(taken.notes, taken.hasDetails, actions, countedFrom: first, states, endingWith: end)
    }
    var end = Recording<State, Action>.BlockEnd()
    if taken.notes.count == room {
      let changed = taken.hasDetails ? Set(taken.notes.flatMap { $0.steps.map(\.store) }) : []
      end = blockEnd(of: live, changed, isBetweenSteps: isBetweenSteps, filling: add)
    }
    let (released, newRoom) = content.withLock { [end] content in
      add(to: &content.recording!, endingWith: end)
      var released = content.recording!.commitExcess()
      for block in released.blocks { content.bytes -= block.bytes }
      if content.recording!.blocks.last!.count == 0 { released += measureLastFullBlock(in: &content) }
      return (released, content.recording!.roomInLastBlock)
    }
    running.room = newRoom
    // Released outside the lock, with all states and actions that have no other owner.
    withExtendedLifetime(released) {}
  }

  /// Returns the states of the stores after the last block, which the notes are about to fill.
  ///
  /// - If these aren't the current states, the actions are reduced again. A copy of the recording does that, because no
  ///   reducer is called while the lock is held.
  /// - Parameters:
  ///   - changed: The stores below the root that reduced one of the noted actions.
  ///   - fill: Adds the notes to a recording.
  private func blockEnd(
    of live: Live,
    _ changed: Set<UInt64>,
    isBetweenSteps: Bool,
    filling fill: (inout Recording<State, Action>, Recording<State, Action>.BlockEnd) -> Void
  ) -> Recording<State, Action>.BlockEnd {
    let changed = changed.union(content.withLock { $0.recording!.changedChildren })
    var end = Recording<State, Action>.BlockEnd()
    if isBetweenSteps {
      end.rootState = live.root.typedState
      for id in changed { end.childStates[id] = live.tree.store(id)?.state }
    }
    guard end.rootState == nil || end.childStates.count < changed.count else { return end }
    var copy = content.withLock { $0.recording! }
    fill(&copy, end)
    end.rootState = copy.blocks.last!.start
    for id in changed { end.childStates[id] = copy.children[id]?.stateKept(at: copy.firstPlace + copy.count) }
    return end
  }

  func add(_ store: MonitoredStore, at time: Duration) {
    guard let recorded = content.withLock({ $0.live })?.tree.store(store.id), let state = recorded.state else { return }
    takeNotes()
    content.withLock { content in
      let place = content.recording!.firstPlace + content.recording!.count
      content.recording!.children[store.id] = RecordedChild(
        store, reducer: recorded, birth: place, state: state, made: time)
      content.storeChanges += 1
    }
  }

  func beginTask(_ task: MonitoredTask, at time: Duration) {
    // Released outside the lock.
    let leaving = content.withLock { content -> [RecordedTask] in
      guard content.present == nil, !content.isStopped else { return [] }
      return content.recording!.recordedTasks.begin(task, at: time, limit: limit)
    }
    withExtendedLifetime(leaving) {}
  }

  func endTask(_ task: MonitoredTask, _ outcome: RecordedTask.Outcome, at time: Duration) {
    // The end of a recorded task is also recorded while nothing else is. No event arrives while another moment is shown.
    content.withLock { $0.recording!.recordedTasks.end(task, outcome, at: time) }
  }

  func remove(_ store: MonitoredStore, at time: Duration) {
    takeNotes()
    guard store.parent != nil else {
      (running.tree, running.root) = (nil, nil)
      let live = content.withLock { content in content.live.take() }
      live?.tree.forget(store)
      return
    }
    content.withLock { $0.live }?.tree.forget(store)
    // Released outside the lock.
    let released = content.withLock { content in
      content.storeChanges += 1
      return content.recording!.endChild(store.id, at: time)
    }
    withExtendedLifetime(released) {}
  }
}

/// Misuses of a ``Recorder``.
extension Misuse {
  static let recordingOtherTypes = Misuse(
    """
    A recorder was given to a factory whose state or action has a different type, so it doesn't record anything. Make \
    it with the types of the factory: Recorder<State, Action>().
    """
  )

  static let commandingTooLate = Misuse(
    """
    A callback gave a recorder a command about an action or a position that was gone when the command ran, after the \
    callback. So the command did nothing. Give commands outside callbacks, where they throw, or raise the recorder's \
    limit.
    """
  )

  static let recordingTwoTrees = Misuse(
    """
    A recorder was given to a second factory, which it doesn't record. Make one recorder for each factory.
    """
  )
}
