/// A listener that takes part in what the stores of its tree do.
@usableFromInline
package protocol StoreListener: TreeListener {
  /// Called with each store of the tree as it is made, the root first. From any thread.
  func willBegin<State: Sendable, Action: Sendable>(_ store: inout NewStore<State, Action>)

  /// Called once the root has begun, and activities can be sent to it. From any thread.
  func didBeginRoot()
}

/// A maker of a tree's listener. The same settings may make several trees, and each has a listener of its own.
@usableFromInline
package protocol ListenerMaker: Sendable {
  func makeListener(clock: any Clock<Duration>) -> any StoreListener
}

/// A store that is being made in a tree with a listener, which may change what the store does.
///
/// - Nothing has happened in the store yet, and no other thread can reach it.
@usableFromInline
package struct NewStore<State: Sendable, Action: Sendable> {
  package let address: NodeAddress

  /// The store's own state.
  package let box: StateBox<State>

  /// Makes the store's reducer for states that are in no tree. It may be called from any thread.
  package let makeReducerBesideTree: () -> Reducer<State, Action>

  /// Ends and begins the store's effects by its state; nil if none depend on it.
  package let updateEffects: (@Sendable () -> Void)?

  /// Reduces an action, and returns whether that was a step; nil if the store reduces nothing.
  @usableFromInline package private(set) var reduce: (@Sendable (Action) -> Bool)?

  /// `true` if every change of the root's state is to be an action that ``reduce`` is called with, commits included. Those
  /// of a child always are.
  @usableFromInline private(set) var mustReduceCommits = false

  /// Called after the observers of each step; nil if the listener does not want that. For the root only.
  @usableFromInline package var didStep: (@Sendable () -> Void)?

  /// Makes the description of a store that the listener has not changed.
  @usableFromInline
  init(
    at address: NodeAddress,
    _ box: StateBox<State>,
    _ feature: Feature<State, Action>,
    updateEffects: (@Sendable () -> Void)?,
    reduce: (@Sendable (Action) -> Bool)?
  ) {
    self.address = address
    self.box = box
    makeReducerBesideTree = feature.makeReducerBesideTree
    self.updateEffects = updateEffects
    self.reduce = reduce
  }

  /// Replaces the function that reduces an action by one that calls it.
  ///
  /// - Parameter mustReduceCommits: `true` if it is to be called for each commit.
  package mutating func replaceReduce(
    mustReduceCommits: Bool = false,
    by reduce: @escaping @Sendable (Action) -> Bool
  ) {
    self.reduce = reduce
    if mustReduceCommits { self.mustReduceCommits = true }
  }
}

extension Tree {
  /// The listener, as it takes part in what stores do; nil if there is none.
  @usableFromInline var storeListener: (any StoreListener)? { listener as? any StoreListener }
}
