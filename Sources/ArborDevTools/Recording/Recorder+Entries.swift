package import Arbor

extension Recorder: StateRecorder {
  package func record(_ tree: RecordedTree, root: RecordedStore) -> Bool {
    guard let root = root as? TypedRecordedStore<State, Action>, let state = root.typedState else {
      Misuse.recordingOtherTypes.report(about: "\(Recorder.self)")
      return false
    }
    var recording = Recording(initialState: state, checkpointInterval: checkpointInterval, reducer: root.reduce)
    recording.rootStore = root.store
    recording.limit = limit
    // The store changes its state where it lies, if it is the only one to have it.
    recording.lastState = nil
    let live = Live(tree: tree, root: root)
    let isFirst = content.withLock { [recording] content in
      guard content.recording == nil else { return false }
      (content.live, content.recording) = (live, recording)
      return true
    }
    if isFirst { running.live = live } else { Misuse.recordingTwoTrees.report(about: "\(Recorder.self)") }
    return isFirst
  }

  package func didReduce(_ number: UInt64) {
    guard let live = running.live else { return }
    let isBarrier = live.tree.hasAppliedCommit
    func isRepeatable(_ action: any Sendable) -> Bool {
      !isBarrier || (action as? any ChangeAction)?.changesNothing == true
    }
    var draft = Draft(number: number, isBarrier: isBarrier)
    for store in live.tree.reducing {
      if store === live.root {
        guard let action = live.root.takeAction() else { continue }
        let state = isRepeatable(action) ? nil : live.root.typedState
        draft.root = state.map(Recording<State, Action>.RootStep.recorded) ?? .reduced(action)
      } else if let action = store.takeAnyAction() {
        let state = isRepeatable(action) ? nil : store.state
        draft.steps.append((store.store.id, state.map(ChildStep.recorded) ?? .reduced(action)))
      }
    }
    running.drafts.append(draft)
  }

  /// Adds an action to the recording. Returns what is to be released.
  func add(_ record: borrowing ActionRecord) -> [Recording<State, Action>.Block] {
    guard let live = running.live else { return [] }
    var draft = Draft(number: record.number, isBarrier: false)
    if running.drafts.first?.number == record.number { draft = running.drafts.removeFirst() }
    let (store, isLast) = (record.action.store.id, record.isLastOfStep)
    let outcome = record.outcome
    if case .failed = outcome { draft = Draft(number: record.number, isBarrier: false) }
    var details: Recording<State, Action>.Entry.Details?
    if case (.reduced, .reduced) = (outcome, draft.root), store == live.root.store.id, draft.steps.isEmpty {
      // The action is the root's, and nothing else is to be said of it.
    } else {
      details = Recording<State, Action>.Entry.Details(
        action: record.action.value,
        steps: draft.steps,
        outcome: outcome,
        isBarrier: draft.isBarrier
      )
    }
    let entry = Recording<State, Action>.Entry(
      Int(record.number),
      draft.root,
      store: store,
      cause: record.cause,
      times: record.times,
      isLastOfStep: isLast,
      details
    )
    return content.withLock { content in
      guard content.present == nil, !content.isStopped else { return [] }
      content.recording!.add(entry) {
        isLast ? live.root.typedState : nil
      } childState: { id in
        isLast ? live.tree.store(id)?.state : nil
      }
      content.recording!.nextNumber = entry.id + 1
      content.recording!.position = content.recording!.count
      if content.recording!.blocks.last!.entries.isEmpty { measureLastFullBlock(of: content.recording!) }
      let released = content.recording!.commitExcess()
      for block in released { content.bytes -= block.bytes }
      return released
    }
  }

  func add(_ store: MonitoredStore, at time: Duration) {
    guard let live = running.live, let recorded = live.tree.store(store.id) else { return }
    guard let state = recorded.state else { return }
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
    content.withLock { content in
      guard content.present == nil, !content.isStopped else { return }
      content.recording!.recordedTasks.end(task, outcome, at: time)
    }
  }

  func remove(_ store: MonitoredStore, at time: Duration) {
    guard store.parent != nil else {
      // The tree lets go of its stores.
      running.live = nil
      let live = content.withLock { content in content.live.take() }
      return withExtendedLifetime(live) {}
    }
    content.withLock { content in
      let place = content.recording!.firstPlace + content.recording!.count
      content.recording!.children[store.id]?.death = place
      content.recording!.children[store.id]?.gone = time
      content.storeChanges += 1
    }
  }
}

/// Misuses of a ``Recorder``.
extension Misuse {
  static let recordingOtherTypes = Misuse(
    """
    a recorder was given to a factory whose state or action is of another type, so it records nothing. Make it with the types of \
    the factory: Recorder<State, Action>().
    """
  )

  static let recordingTwoTrees = Misuse(
    """
    a recorder was given to a second factory, of which it records nothing. Make one recorder for each factory.
    """
  )
}
