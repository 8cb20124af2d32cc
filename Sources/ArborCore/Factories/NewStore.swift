/// A listener that takes part in what the stores of its tree do.
@usableFromInline
package protocol StoreListener: TreeListener {
  /// Called with each store of the tree when it is made, the root first. May be called from any thread.
  func willBegin<State: Sendable, Action: Sendable>(_ store: inout NewStore<State, Action>)

  /// Called after the root has started and can receive activities. May be called from any thread.
  func didBeginRoot()
}

/// A type that makes the listeners of trees. The same settings may make several trees, and each gets its own listener.
@usableFromInline
package protocol ListenerMaker: Sendable {
  func makeListener(clock: any Clock<Duration>) -> any StoreListener
}

/// A store that is being made in a tree with a listener. The listener may change how the store works.
///
/// - The store hasn't done anything yet, and no other thread can reach it.
@usableFromInline
package struct NewStore<State: Sendable, Action: Sendable> {
  package let address: NodeAddress

  /// The store's own state.
  package let box: StateBox<State>

  /// Makes the store's reducer for states outside a tree. May be called from any thread.
  package let makeReducerBesideTree: () -> Reducer<State, Action>

  /// Starts and ends the store's effects to match its state; nil if no effect depends on the state.
  package let updateEffects: (@Sendable () -> Void)?

  /// Reduces an action, and returns `true` if that was a step; nil if the store has no reducer.
  @usableFromInline package private(set) var reduce: (@Sendable (Action) -> Bool)?

  /// `true` if every change to the root's state must go through ``reduce`` as an action, commits included. Changes to a
  /// child's state always do.
  @usableFromInline private(set) var mustReduceCommits = false

  /// Called after the observers of each step; nil if the listener doesn't need it. Only for the root.
  @usableFromInline package var didStep: (@Sendable () -> Void)?

  /// Makes the description of a store that the listener hasn't changed.
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

  /// Replaces the function that reduces an action with one that may call the original.
  ///
  /// - Parameter mustReduceCommits: `true` to call it for each commit, too.
  package mutating func replaceReduce(
    mustReduceCommits: Bool = false,
    by reduce: @escaping @Sendable (Action) -> Bool
  ) {
    self.reduce = reduce
    if mustReduceCommits { self.mustReduceCommits = true }
  }
}

extension Tree {
  /// The listener as a ``StoreListener``; nil if there is none.
  @usableFromInline var storeListener: (any StoreListener)? { listener as? any StoreListener }
}
