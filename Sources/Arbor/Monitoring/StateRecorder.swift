/// A monitor that records the actions of a tree, and can bring the tree to another moment.
///
/// - A tree whose factory is given one notes which store reduces which action. Any other tree pays nothing.
package protocol StateRecorder: StoreMonitor {
  /// Receives the tree that is made with this monitor, and its root. Called before anything happens in the tree.
  ///
  /// - Returns: `false` if it records nothing of the tree: then it is none of the tree's monitors.
  func record(_ tree: RecordedTree, root: RecordedStore) -> Bool

  /// Called after the reducers of an action: the stores in ``RecordedTree/reducing`` have called theirs. On the tree's
  /// queue.
  ///
  /// - Parameter store: The only one of them, if the action can be repeated there. It has begun to reduce so many actions.
  func didReduce(_ number: UInt64, onlyBy store: RecordedStore?, begun: Int)
}

/// A tree that is recorded: its stores, the actions that they reduce, and the way to another moment.
///
/// - Its members belong to the tree's queue, unless they say otherwise.
@usableFromInline
package final class RecordedTree: @unchecked Sendable {
  // Sendable because a lock guards the stores, and the rest is used on the tree's queue only.

  /// The tree; nil once its root is gone.
  private let tree: Protected<Tree?>

  /// The monitor that records the tree; nil until the tree has a root, and once it is gone and its tasks have ended.
  private var recorder: (any StateRecorder)?
  private let stores = Protected<[UInt64: RecordedStore]>([:])

  /// The stores that have reduced the running action: first that to which it was dispatched, the root last.
  ///
  /// - Unretained, as a retain costs as much as a note does. They are forgotten between two steps.
  @exclusivity(unchecked)
  package private(set) var reducing: [Unmanaged<RecordedStore>] = []

  /// `true` if the running action contained a change whose caller waits: nobody can make it again.
  @exclusivity(unchecked)
  package private(set) var hasAppliedCommit = false

  init(_ tree: Tree) {
    self.tree = Protected(tree)
  }

  // MARK: Stores

  /// The store with a number; nil if there is none, or if it was forgotten. From any thread.
  package func store(_ id: UInt64) -> RecordedStore? { stores.withLock { $0[id] } }

  /// Adds a store, before anything happens in it. Returns `false` if the tree isn't recorded.
  func add(_ store: RecordedStore) -> Bool {
    guard let tree = tree.withLock({ $0 }) else { return false }
    stores.withLock { $0[store.store.id] = store }
    guard store.store.parent == nil, let monitoring = tree.monitoring else { return true }
    recorder = monitoring.recorders.first { $0.record(self, root: store) }
    monitoring.keepRecorder(recorder)
    return recorder != nil
  }

  /// The stores that were not forgotten, in the order in which they were made. From any thread.
  package var allStores: [RecordedStore] {
    stores.withLock { $0.values.sorted { $0.store.id < $1.store.id } }
  }

  /// Forgets a store that has gone, and lets go of its state. A recording keeps its reducer for as long as it needs that.
  func forget(_ id: UInt64) {
    // Released outside the lock.
    let store = stores.withLock { $0.removeValue(forKey: id) }
    store?.end()
  }

  /// Lets go of the tree, whose root has gone.
  package func end() {
    let tree = tree.withLock { $0.take() }
    tree?.openGate()
  }

  /// Releases the monitor, which could otherwise keep stores of the tree alive.
  func releaseRecorder() {
    let released = recorder.take()
    if let released { Tree.releaseLater(released) }
  }

  // MARK: Actions

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

  // MARK: Moments

  /// `true` if the calling thread runs the tree's work.
  package var isInside: Bool { tree.withLock { $0 }?.isInside == true }

  /// Runs a body on the tree's queue between two entries, after everything accepted before; in a callback of the tree
  /// after this function has returned. From any thread. Returns `false` if the tree has gone.
  package func run(_ body: @escaping @Sendable () -> Void) -> Bool {
    guard let tree = tree.withLock({ $0 }) else { return false }
    tree.runBetweenEntries(body)
    return true
  }

  /// Closes a gate in front of the tree's entries, to show another moment by ``notifyOfMoment()``.
  package func closeGate(_ gate: any EntryGate) { tree.withLock { $0 }?.closeGate(gate) }

  /// Notifies observers of the moment in one step. Call it after you have written the stores' own states. Entries that
  /// have arrived meanwhile wait at the gate; if a caller waits for the step of one, the gate is opened at once.
  package func notifyOfMoment() {
    let tree = tree.withLock { $0 }
    tree?.notifyOfOwnStates()
    tree?.holdEntries()
  }

  /// Notifies observers of the present in one step, then opens the gate, so that the waiting entries run. Call it after
  /// you have restored the states.
  package func returnToPresent() {
    let tree = tree.withLock { $0 }
    tree?.notifyOfOwnStates()
    tree?.openGate()
  }

  /// Makes the shown states the present, in one step: ends and begins effects by them, lets the waiting entries continue,
  /// and notifies observers.
  package func goOnFromShownStates() {
    guard let tree = tree.withLock({ $0 }) else { return }
    tree.openGate(withNewStates: true)
    tree.requestEffects { for store in allStores { store.updateEffects?() } }
    tree.notifyOfOwnStates()
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
    guard let (tree, store) = recorded(box, by: reducerBeside(), updateEffects: updateEffects) else { return reduce }
    return { [unowned tree] action in
      store.begin(action)
      tree.note(store)
      return reduce?(action) != false
    }
  }

  /// Adds the node's store to the recorded tree. Returns nil if the tree is not recorded.
  @usableFromInline
  func recorded<State: Sendable, Action: Sendable>(
    _ box: StateBox<State>,
    by reducerBeside: @autoclosure () -> Reducer<State, Action>,
    updateEffects: (@Sendable () -> Void)?
  ) -> (RecordedTree, TypedRecordedStore<State, Action>)? {
    guard let tree = tree.monitoring?.recorded, let monitored else { return nil }
    let store = TypedRecordedStore(monitored, box, updateEffects: updateEffects, reduce: reducerBeside())
    return tree.add(store) ? (tree, store) : nil
  }
}
