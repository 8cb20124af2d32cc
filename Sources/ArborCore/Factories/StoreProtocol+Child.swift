public import Dispatch

extension StoreProtocol {
  /// Makes a child store with its own state and reducer below this store.
  ///
  /// - Its actions go up the tree: they pass the child's own interceptors, then the interceptors of this store's node
  ///   and of each ancestor; then the reducers run in the same order. The child receives only its own actions and the
  ///   actions of its own children.
  /// - The child lives as long as the returned object, which keeps all ancestors alive.
  /// - If the owner of this store is gone, or if this store is closure-backed, the child is closed from the start: its
  ///   ``state`` is nil, and calls do nothing.
  /// - Each level of nested children uses stack in every step. A stack of 512 KB has room for 3,000 levels in release
  ///   builds, and for 300 in debug builds.
  /// - While this store's scope is nil, the child's observers aren't called and its ``state`` is nil; its own state
  ///   still exists.
  /// - Parameters:
  ///   - initialState: The child's own state at the start.
  ///   - stateMapping: Composes this store's state and the child's own into the state that the child shows. Called on
  ///     the tree's queue: at most once per step for all observers, not at all while there are none, and once more for
  ///     each subscription and each read of ``state``.
  ///   - interceptor: Sees each action of the child before the child's reducer; see
  ///     ``StoreFactory/init(initialState:interceptor:qos:settings:reducer:)``.
  ///   - qos: The minimum quality of service for actions dispatched to the child; if the factory's is higher, it
  ///     applies instead.
  ///   - reducer: Changes the child's own state.
  @inlinable
  public func childStore<Local: Sendable, Composed: Sendable>(
    initialState: Local,
    stateMapping: @escaping @Sendable (_ state: State, _ local: Local) -> Composed,
    interceptor: (@Sendable (_ action: Action, _ dispatch: @escaping @Sendable (Action) -> Void) -> Void)? = nil,
    qos: DispatchQoS = .unspecified,
    reducer: @escaping Reducer<Local, Action>
  ) -> StoreObject<Composed, Action> {
    childStore(
      initialState: initialState,
      stateMapping: stateMapping,
      feature: Feature(interceptor: interceptor, reducer: reducer),
      qos: qos
    )
  }

  /// Makes a child store with a feature below this store.
  ///
  /// - The child follows the rules of ``childStore(initialState:stateMapping:interceptor:qos:reducer:)``.
  /// - Parameters:
  ///   - initialState: The child's own state at the start.
  ///   - stateMapping: Composes this store's state and the child's own into the state that the child shows.
  ///   - feature: Its state is the child's own state, and its actions are this store's actions. Its interceptors
  ///     receive the child's own state; the ancestors' interceptors follow. With `Arbor`, its effects receive the
  ///     child's own state, too.
  ///   - qos: The quality of service of the child's work; by default, the same as the tree's.
  @inlinable
  public func childStore<Local: Sendable, Composed: Sendable>(
    initialState: Local,
    stateMapping: @escaping @Sendable (_ state: State, _ local: Local) -> Composed,
    feature: Feature<Local, Action>,
    qos: DispatchQoS = .unspecified
  ) -> StoreObject<Composed, Action> {
    // This object may be the owner: keep it until the child is made.
    withExtendedLifetime(self) {
      asStore.child(
        initialState: initialState,
        stateMapping: stateMapping,
        feature: feature,
        qos: qos,
        way: { way in way },
        reduce: { reducer, box, _ in
          // Doesn't use `map`, because a closure that goes through a generic function is called through thunks.
          guard let reducer else { return nil }
          return box.reducing(by: reducer)
        }
      )
    }
  }

  /// Makes a child store whose state is a pair of this store's state and the child's own.
  ///
  /// - PureduxStore has this form. With a feature, write `stateMapping: { ($0, $1) }`.
  /// - The child follows the rules of ``childStore(initialState:stateMapping:interceptor:qos:reducer:)``.
  /// - Parameters:
  ///   - initialState: The child's own state at the start.
  ///   - interceptor: Sees each action of the child before the child's reducer, and can't change it.
  ///   - qos: The minimum quality of service for the child's actions; if the factory's is higher, it applies instead.
  ///   - reducer: Changes the child's own state.
  @inlinable
  public func childStore<Local: Sendable>(
    initialState: Local,
    interceptor: (@Sendable (_ action: Action, _ dispatch: @escaping @Sendable (Action) -> Void) -> Void)? = nil,
    qos: DispatchQoS = .unspecified,
    reducer: @escaping Reducer<Local, Action>
  ) -> StoreObject<(State, Local), Action> {
    childStore(
      initialState: initialState,
      stateMapping: { ($0, $1) },
      interceptor: interceptor,
      qos: qos,
      reducer: reducer
    )
  }
}

extension Store {
  /// Makes a child of this store. If the owner is gone, the child is closed.
  ///
  /// - Parameters:
  ///   - feature: Its state and its actions are the child's.
  ///   - makeWay: Turns the way of this store's actions to its node into the way of the child's actions.
  ///   - makeReduce: Makes the function that reduces an action; called with the feature's reducer.
  ///   - canFail: Returns `true` if an action may turn out not to be a step; nil if every action is one.
  @inlinable
  package func child<Local: Sendable, Composed: Sendable, ChildAction: Sendable>(
    initialState: Local,
    stateMapping: @escaping @Sendable (_ state: State, _ local: Local) -> Composed,
    feature: Feature<Local, ChildAction>,
    qos: DispatchQoS,
    way makeWay: (WayToParent<Action>) -> WayToParent<ChildAction>,
    reduce makeReduce: MakeReduce<Local, ChildAction>,
    canFail: (@Sendable (ChildAction) -> Bool)? = nil
  ) -> StoreObject<Composed, ChildAction> {
    guard let address, let owner = address.owner else {
      reportUseAfterRelease()
      return StoreObject(closedOn: sink.enclosingHost.tree)
    }
    // The owner is retained here, so the node exists.
    let parent = AnyStation.of(address.tree.target(of: address)!)
    let way = makeWay(sink.way(to: parent))
    let box = StateBox(initialState)
    let (read, connect) = (read, connect)
    let identity = parent.identity.map { NodeIdentity(below: $0, Local.self) }
    let childAddress = NodeAddress(on: address.tree, quality: qos, identity: identity)
    let child = Store<Composed, ChildAction>(at: childAddress, presences: presences)
    let readComposed: @Sendable () -> Composed? = { read(parent).map { stateMapping($0, box.pointer.pointee) } }
    let functions = feature.make(FeaturePlace(at: childAddress, .node(box, child.sink, onError: way.onEffectError)))
    var reduce = makeReduce(functions.reducer, box, address.tree)
    if let listener = address.tree.storeListener {
      var new = NewStore(at: childAddress, box, feature, updateEffects: functions.effects?.update, reduce: reduce)
      listener.willBegin(&new)
      reduce = new.reduce
    }
    let node = StateNode<Composed, ChildAction>(
      at: childAddress,
      parent: parent,
      box,
      read: readComposed,
      functions.station(at: childAddress, box, reduce: reduce, canFail: canFail),
      way,
      onEffectError: way.onEffectError
    )
    // Unretained: the node keeps this observer through its parent subscription, so keeping the node here would make a
    // cycle.
    let unmanaged = Unmanaged.passUnretained(node)
    let parentObserver = Observer<State> { state in
      // Borrowed, so that the local state isn't copied; see `Borrowable`.
      func compose(with local: borrowing Borrowable<Local>) -> Composed { stateMapping(state, local.value) }
      return unmanaged._withUnsafeGuaranteedRef { node in
        node.receive { compose(with: box.borrowable.pointee) }
        return .active
      }
    }
    let childOwner = node.begin(below: owner) { _ = connect(parentObserver, .child(node)) }
    functions.effects?.begin()
    return StoreObject(owner: childOwner, store: child)
  }
}
