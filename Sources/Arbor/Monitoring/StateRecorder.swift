/// A monitor that records the actions of a tree.
///
/// - A tree whose factory is given one notes which store reduces which action. Any other tree pays nothing.
package protocol StateRecorder: StoreMonitor {
  /// Receives the tree that is made with this monitor, and its root. Called before anything happens in the tree.
  ///
  /// - Parameter step: The notes about the running action.
  /// - Returns: `false` if it records nothing of the tree: then it is none of the tree's monitors.
  func record(_ tree: Tree, root: RecordedStore, _ step: RecordedStep) -> Bool

  /// Receives a store below the root, before anything happens in it. From any thread.
  ///
  /// - Returns: `false` if the root has gone.
  func record(_ child: RecordedStore) -> Bool

  /// Called after the reducers of an action: the stores in ``RecordedStep/reducing`` have called theirs. On the tree's
  /// queue.
  ///
  /// - Parameter store: The only one of them, if the action can be repeated there. It has begun to reduce so many actions.
  func didReduce(_ number: UInt64, onlyBy store: RecordedStore?, begun: Int)
}

/// The running action of a recorded tree: which stores reduce it. Used on the tree's queue only.
@usableFromInline
package final class RecordedStep: @unchecked Sendable {
  /// The monitor that records the tree; nil until the tree has a root, and once it is gone and its tasks have ended.
  private var recorder: (any StateRecorder)?

  /// The stores that have reduced the running action: first that to which it was dispatched, the root last.
  ///
  /// - Unretained, as a retain costs as much as a note does. They are forgotten between two steps.
  @exclusivity(unchecked)
  package private(set) var reducing: [Unmanaged<RecordedStore>] = []

  /// `true` if the running action contained a change whose caller waits: nobody can make it again.
  @exclusivity(unchecked)
  package private(set) var hasAppliedCommit = false

  init() {}

  /// Gives a store to the recorder, before anything happens in it. Returns `false` if the tree isn't recorded.
  func add(_ store: RecordedStore, of tree: Tree) -> Bool {
    guard store.store.parent == nil else { return recorder?.record(store) == true }
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

  @usableFromInline
  func note(_ store: RecordedStore) {
    reducing.append(.passUnretained(store))
  }

  func noteCommit() {
    hasAppliedCommit = true
  }

  @usableFromInline
  func didReduce(_ number: UInt64) {
    // Of most actions, one store has reduced.
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

extension NodeAddress {
  /// Makes the function that reduces an action at the node one that notes the action, if the tree is recorded.
  ///
  /// - Parameters:
  ///   - box: The store's own state.
  ///   - reducerBeside: Makes the reducer that a recording calls on other states. Called only if the tree is recorded.
  ///   - updateEffects: Ends and begins the feature's effects by the state; nil if none depend on it.
  ///   - reduce: Calls the store's own reducer; nil if there is none.
  @inlinable
  func recording<State: Sendable, Action: Sendable>(
    _ box: StateBox<State>,
    by reducerBeside: @autoclosure () -> Reducer<State, Action>,
    updateEffects: (@Sendable () -> Void)?,
    _ reduce: (@Sendable (Action) -> Bool)?
  ) -> (@Sendable (Action) -> Bool)? {
    guard let (step, store) = recorded(box, by: reducerBeside(), updateEffects: updateEffects) else { return reduce }
    return { [unowned step] action in
      store.begin(action)
      step.note(store)
      return reduce?(action) != false
    }
  }

  /// Adds the node's store to the recorded tree. Returns nil if the tree is not recorded.
  @usableFromInline
  func recorded<State: Sendable, Action: Sendable>(
    _ box: StateBox<State>,
    by reducerBeside: @autoclosure () -> Reducer<State, Action>,
    updateEffects: (@Sendable () -> Void)?
  ) -> (RecordedStep, TypedRecordedStore<State, Action>)? {
    guard let step = tree.monitoring?.recordedStep, let monitored else { return nil }
    let store = TypedRecordedStore(monitored, box, updateEffects: updateEffects, reduce: reducerBeside())
    return step.add(store, of: tree) ? (step, store) : nil
  }
}
