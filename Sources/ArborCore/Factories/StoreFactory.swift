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
///   observers run there, one at a time. The queue is guaranteed, the thread is not: a thread that waits
///   (``StoreProtocol/state``, `dispatchAndWait`) may run them itself.
/// - Do not capture the factory in its own interceptors or observers, which would keep both alive forever: capture
///   ``rootStore()``.
public final class StoreFactory<State: Sendable, Action: Sendable>: StoreOwner, Sendable {
  @usableFromInline let owner: Owner
  @usableFromInline let root: Store<State, Action>

  /// Makes a tree whose root has a reducer.
  ///
  /// - Parameters:
  ///   - initialState: The root's state at the start.
  ///   - interceptor: Sees each action before the reducers and cannot change it; side effects may start here. Its
  ///     `dispatch` sends an action, after everything already waiting, to the store to which the intercepted action was
  ///     dispatched. For an action that comes from a child with another action type, `dispatch` sends to the child's
  ///     nearest ancestor with the action type `Action`. `dispatch` may be called from any thread, at any later time,
  ///     and silently does nothing once its store is gone.
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

  /// Makes a tree whose root does everything a feature describes.
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
      // The action is a change that the reducer applies: if it fails, that is no step.
      return { action in
        tree.isMade {
          reducer(&box.pointer.pointee, action)
          return true
        }
      }
    }
  }

  /// Makes a tree with a function that reduces actions in the root's box.
  ///
  /// - Parameters:
  ///   - canFail: Returns `true` if an action may turn out to be no step; nil if none can.
  ///   - commitsInPlace: `true` if a commit may change the state without an action, if the feature has no reducer.
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
    // A closure and no override: the compiler specializes it here, where the types are known.
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
        // Not a closure around the one above, which would cost each step a call more.
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
        // Reducers may have changed more than the mutation that they apply.
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

  // The only designated initializer, because a linker keeps what these contain: metadata of the class refers to them.
  @usableFromInline
  init(owner: Owner, root: Store<State, Action>) {
    self.owner = owner
    self.root = root
  }

  /// The root's store; the same as ``rootStore()``.
  @inlinable public var asStore: Store<State, Action> { root }

  /// The root's store. Every call returns the same store: an observer that is subscribed to it again is recognized.
  public func rootStore() -> Store<State, Action> {
    root
  }

  /// A store of a part of the root's state; the same as ``StoreProtocol/scope(to:)``.
  ///
  /// - Parameter project: Reads the part from the state; an optional is passed on to observers as it is, nil included.
  @inlinable
  public func scopeStore<Part: Sendable>(
    to project: @escaping @Sendable (_ state: State) -> Part
  ) -> Store<Part, Action> {
    root.scope(to: project)
  }

  /// A store of an optional part of the root's state; the same as ``StoreProtocol/scope(toOptional:)``.
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
