public import Dispatch

/// The owner of a tree's root: the program's state, its reducer and its side effects.
///
/// ```swift
/// let factory = StoreFactory<AppState, AppAction>(initialState: AppState()) { state, action in
///   state.reduce(action)
/// }
/// let store = factory.rootStore()
/// ```
///
/// - Keep it: the tree lives as long as its factory or any ``StoreObject`` made from it. Actions accepted before the
///   last of these owners is released are still reduced.
/// - Each tree has one queue of accepted work and one serial dispatch queue. Interceptors, reducers, state mappings and
///   observers run there, one at a time. Arbor guarantees the queue, not the thread: a thread that waits
///   (``StoreProtocol/state``, `dispatchAndWait`) may run them itself.
/// - Don't capture the factory in its own interceptors or observers, which would keep both alive forever. Capture
///   ``rootStore()`` instead.
public final class StoreFactory<State: Sendable, Action: Sendable>: StoreOwner, Sendable {
  @usableFromInline let owner: Owner
  @usableFromInline let root: Store<State, Action>

  /// Makes a tree whose root has a reducer.
  ///
  /// - Parameters:
  ///   - initialState: The root's state at the start.
  ///   - interceptor: Sees each action before the reducers and can't change it; start side effects here. Its `dispatch`
  ///     sends an action, after everything already waiting, to the store where the intercepted action was dispatched.
  ///     If that store is a child with another action type, `dispatch` sends to the child's nearest ancestor with the
  ///     action type `Action`. You can call `dispatch` from any thread and at any later time; it silently does nothing
  ///     once its store is gone. To replace, drop or hold actions, pass a feature with an ``Interceptor``.
  ///   - qos: The quality of service of the tree's queue.
  ///   - settings: The name and the clock of the tree; see ``TreeSettings``.
  ///   - reducer: Changes the state according to an action; see ``Reducer``.
  @inlinable
  public convenience init(
    initialState: State,
    interceptor: (@Sendable (_ action: Action, _ dispatch: @escaping @Sendable (Action) -> Void) -> Void)? = nil,
    qos: DispatchQoS = .userInteractive,
    settings: TreeSettings = TreeSettings(),
    reducer: @escaping Reducer<State, Action>
  ) {
    self.init(
      initialState: initialState,
      feature: Feature(interceptor: interceptor, reducer: reducer),
      qos: qos,
      settings: settings
    )
  }

  /// Makes a tree whose root has the interceptors, reducer and effects of a feature.
  ///
  /// - Parameters:
  ///   - initialState: The root's state at the start.
  ///   - feature: The feature of the root.
  ///   - qos: The quality of service of the tree's queue.
  ///   - settings: The name and the clock of the tree; see ``TreeSettings``.
  @inlinable
  public convenience init(
    initialState: State,
    feature: Feature<State, Action>,
    qos: DispatchQoS = .userInteractive,
    settings: TreeSettings = TreeSettings()
  ) {
    let canFail = failurePredicate(of: Action.self, in: State.self)
    self.init(initialState: initialState, feature, qos, settings, canFail: canFail) { reducer, box, tree in
      guard let reducer else { return nil }
      guard canFail != nil else { return box.reducing(by: reducer) }
      // The action is a change that the reducer applies. If the change fails, the action isn't a step.
      return { action in
        tree.isMade {
          reducer(&box.pointer.pointee, action)
          return true
        }
      }
    }
  }

  /// Makes a tree with a function that reduces actions directly in the root's state.
  ///
  /// - Parameters:
  ///   - canFail: Returns `true` if an action may turn out not to be a step; nil if every action is one.
  ///   - commitsInPlace: `true` if a commit may change the state without an action when the feature has no reducer.
  ///   - makeReduce: Makes the function that reduces an action; called with the feature's reducer.
  @inlinable
  package convenience init(
    initialState: State,
    _ feature: Feature<State, Action>,
    _ qos: DispatchQoS,
    _ settings: TreeSettings,
    canFail: (@Sendable (Action) -> Bool)?,
    commitsInPlace: Bool = false,
    reduce makeReduce: MakeReduce<State, Action>
  ) {
    let box = StateBox(initialState)
    let tree = Tree(
      quality: qos,
      clock: settings.clock,
      executor: settings.executor,
      listener: settings.listenerMaker?.makeListener(clock: settings.clock),
      root: RootName(settings.name, State.self)
    )
    let identity = tree.listener.map { _ in NodeIdentity(below: nil, State.self, named: settings.name) }
    let address = NodeAddress(on: tree, quality: qos, identity: identity)
    let root = Store<State, Action>(at: address)
    var onEffectError: EffectErrorHandler<Action>?
    if let report = settings.onEffectError { onEffectError = { key, action, error, _ in report(key, action, error) } }
    let functions = feature.make(FeaturePlace(at: address, .node(box, root.sink, onError: onEffectError)))
    var reduce = makeReduce(functions.reducer, box, tree)
    // A closure instead of an override: the compiler specializes it here, where the types are known.
    var notifyAll: @Sendable (Node) -> Void = { root in
      StateNode<State, Action>.of(root).notify(fromRoot: box.borrowable.pointee)
    }
    var mayCommitInPlace = commitsInPlace && functions.reducer == nil
    let listener = tree.storeListener
    if let listener {
      var new = NewStore(at: address, box, feature, updateEffects: functions.effects?.update, reduce: reduce)
      listener.willBegin(&new)
      reduce = new.reduce
      if new.mustReduceCommits { mayCommitInPlace = false }
      if let didStep = new.didStep {
        // Doesn't wrap the closure above, which would cost each step one more call.
        notifyAll = { root in
          StateNode<State, Action>.of(root).notify(fromRoot: box.borrowable.pointee)
          didStep()
        }
      }
    }
    let node = StateNode<State, Action>(
      at: address,
      parent: nil,
      box,
      read: { box.pointer.pointee },
      functions.station(
        at: address,
        box,
        reduce: reduce,
        canFail: canFail,
        // Reducers may have changed more than the mutation they apply.
        undoesAlways: canFail != nil && !commitsInPlace
      ),
      onEffectError: onEffectError,
      commitsInPlace: mayCommitInPlace,
      notifyAll: notifyAll
    )
    self.init(owner: node.begin(below: nil), root: root)
    functions.effects?.begin()
    listener?.didBeginRoot()
  }

  // The only designated initializer: the linker keeps everything a designated initializer contains, because the class's
  // metadata refers to it.
  @usableFromInline
  init(owner: Owner, root: Store<State, Action>) {
    self.owner = owner
    self.root = root
  }

  /// The root's store, which ``rootStore()`` also returns.
  @inlinable public var asStore: Store<State, Action> { root }

  /// Returns the root's store. Every call returns the same store: if you subscribe an observer to it again, Arbor
  /// recognizes the observer.
  public func rootStore() -> Store<State, Action> {
    root
  }

  /// Returns a store of a part of the root's state, like ``StoreProtocol/scope(to:)``.
  ///
  /// - Parameter project: Reads the part from the state. An optional result is passed on to observers unchanged,
  ///   including nil.
  @inlinable
  public func scopeStore<Part: Sendable>(
    to project: @escaping @Sendable (_ state: State) -> Part
  ) -> Store<Part, Action> {
    root.scope(to: project)
  }

  /// Returns a store of an optional part of the root's state, like ``StoreProtocol/scope(toOptional:)``.
  ///
  /// - Parameter project: Reads the part from the state; nil while there is none.
  @_disfavoredOverload
  @inlinable
  public func scopeStore<Part: Sendable>(
    toOptional project: @escaping @Sendable (_ state: State) -> Part?
  ) -> Store<Part, Action> {
    root.scope(toOptional: project)
  }
}
