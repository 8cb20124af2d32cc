/// A monitor that records the actions of a tree.
///
/// - A tree with a recorder records which store reduces which action. Any other tree pays nothing.
package protocol StateRecorder: StoreMonitor {
  /// Receives the tree that is made with this monitor, and its root. Called before anything happens in the tree.
  ///
  /// - Parameter notes: The notes about the running action.
  /// - Returns: `false` if it doesn't record the tree, and so isn't one of the tree's monitors.
  func record(_ tree: Tree, root: RecordedStore, _ notes: RecordingNotes) -> Bool

  /// Receives a store below the root, before anything happens in it. May be called from any thread, while the root has
  /// an owner.
  func record(_ child: RecordedStore)

  /// Called after the reducers of an action: the stores in ``RecordingNotes/reducing`` have called theirs. Called on
  /// the tree's queue.
  ///
  /// - Parameter store: The only one of these stores, if the action can be repeated there; `begun` is the number of
  ///   actions that it has begun to reduce.
  func didReduce(_ number: UInt64, onlyBy store: RecordedStore?, begun: Int)
}

/// A recorded tree's notes about its running action: the stores that reduce it.
package final class RecordingNotes: Sendable {
  // Only used on the tree's queue, except for a child that is made on another thread. Such a child retains the root's
  // owner, and the recorder is set before there are children, and released after that owner.

  /// The monitor that records the tree; nil until the tree has a root, and after the tree is gone and its tasks have
  /// ended.
  nonisolated(unsafe) private var recorder: (any StateRecorder)?

  /// The stores that have reduced the running action: first the one to which it was dispatched, the root last.
  ///
  /// - Unretained, because a retain costs as much as a note. They are forgotten between two steps.
  @exclusivity(unchecked)
  nonisolated(unsafe) package private(set) var reducing: [Unmanaged<RecordedStore>] = []

  /// `true` if the running action contained a change whose caller waits, because such a change can't be repeated.
  @exclusivity(unchecked)
  nonisolated(unsafe) package private(set) var hasAppliedCommit = false

  init() {}

  /// Passes a store to the recorder, before anything happens in it. Returns `false` if the tree isn't recorded.
  func add(_ store: RecordedStore, of tree: Tree) -> Bool {
    guard store.store.parent == nil else {
      recorder?.record(store)
      return recorder != nil
    }
    guard let monitoring = tree.monitoring else { return false }
    recorder = monitoring.recorders.first { $0.record(tree, root: store, self) }
    monitoring.keepRecorder(recorder)
    return recorder != nil
  }

  /// Releases the monitor, which could otherwise keep stores of the tree alive.
  func releaseRecorder() {
    let released = recorder.take()
    if let released { Tree.releaseLater(released) }
  }

  func note(_ store: RecordedStore) {
    reducing.append(.passUnretained(store))
  }

  func noteCommit() {
    hasAppliedCommit = true
  }

  func didReduce(_ number: UInt64) {
    // Most actions are reduced by a single store.
    if reducing.count == 1, !hasAppliedCommit {
      reducing[0]._withUnsafeGuaranteedRef { recorder?.didReduce(number, onlyBy: $0, begun: $0.begun) }
      reducing.removeLast()
    } else {
      recorder?.didReduce(number, onlyBy: nil, begun: 0)
      reducing.removeAll()
    }
    hasAppliedCommit = false
  }
}

extension RecordingNotes {
  /// If the tree is recorded, wraps the function that reduces an action at a new store, so that the action is recorded.
  func join<State: Sendable, Action: Sendable>(_ new: inout NewStore<State, Action>) {
    guard let monitored = new.address.host.monitored else { return }
    let store = TypedRecordedStore(
      monitored,
      new.box,
      updateEffects: new.updateEffects,
      reduce: new.makeReducerBesideTree()
    )
    guard add(store, of: new.address.tree) else { return }
    new.replaceReduce { [unowned self, reduce = new.reduce] action in
      store.begin(action)
      note(store)
      return reduce?(action) != false
    }
  }
}
