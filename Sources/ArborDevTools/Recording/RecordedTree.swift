internal import Arbor

/// A tree that is recorded: its stores, and the way to another moment.
///
/// - Its members belong to the tree's queue, unless they say otherwise.
final class RecordedTree: Sendable {
  /// The tree; nil once its root is gone.
  private let tree: Protected<Tree?>
  private let stores = Protected<[UInt64: RecordedStore]>([:])

  init(_ tree: Tree, root: RecordedStore) {
    self.tree = Protected(tree)
    add(root)
  }

  // MARK: Stores

  /// The store with a number; nil if there is none, or if it was forgotten. From any thread.
  func store(_ id: UInt64) -> RecordedStore? { stores.withLock { $0[id] } }

  /// The stores that were not forgotten, in the order in which they were made. From any thread.
  var allStores: [RecordedStore] {
    stores.withLock { $0.values.sorted { $0.store.id < $1.store.id } }
  }

  /// Adds a store, before anything happens in it. From any thread.
  func add(_ store: RecordedStore) {
    stores.withLock { $0[store.store.id] = store }
  }

  /// Forgets a store that has gone, and releases its state. A recording keeps its reducer for as long as it needs that.
  /// If the store is the root, the tree is released too.
  func forget(_ gone: MonitoredStore) {
    // Released outside the lock.
    let store = stores.withLock { $0.removeValue(forKey: gone.id) }
    store?.end()
    if gone.parent == nil { tree.withLock { $0.take() }?.openGate() }
  }

  // MARK: Moments

  /// `true` if the calling thread runs the tree's work.
  var isInside: Bool { tree.withLock { $0 }?.isInside == true }

  /// Runs a body on the tree's queue between two entries, after everything accepted before; in a callback of the tree
  /// after this function has returned. From any thread. Returns `false` if the tree has gone.
  func run(_ body: @escaping @Sendable () -> Void) -> Bool {
    guard let tree = tree.withLock({ $0 }) else { return false }
    tree.runBetweenEntries(for: "travel", body)
    return true
  }

  /// Closes a gate in front of the tree's entries, to show another moment by ``notifyOfMoment()``.
  func closeGate(_ gate: any EntryGate) { tree.withLock { $0 }?.closeGate(gate) }

  /// Notifies observers of the moment in one step. Call it after you have written the stores' own states.
  func notifyOfMoment() { tree.withLock { $0 }?.notifyOfOwnStates() }

  /// Notifies observers of the present in one step, then opens the gate, so that the waiting entries run. Call it after
  /// you have restored the states.
  func returnToPresent() {
    let tree = tree.withLock { $0 }
    tree?.notifyOfOwnStates()
    tree?.openGate()
  }

  /// Makes the shown states the present, in one step: ends and begins effects by them, lets the waiting entries continue,
  /// and notifies observers.
  func goOnFromShownStates() {
    guard let tree = tree.withLock({ $0 }) else { return }
    tree.openGate(withNewStates: true)
    tree.requestEffects { for store in allStores { store.updateEffects?() } }
    tree.notifyOfOwnStates()
  }
}
