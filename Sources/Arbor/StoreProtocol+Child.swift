public import Dispatch

extension StoreProtocol {
  /// Makes a child store with its own state and reducer below this store; nil once the owner is gone.
  ///
  /// - Its actions go up the tree: they pass the child's own interceptors, then those of this store's node and of each
  ///   ancestor; then the reducers run in the same order. The child gets no other actions than its own and those of its
  ///   own children.
  /// - The child lives as long as the returned object, which keeps all ancestors alive.
  /// - Each level of nested children uses stack in every step: thousands of levels are fine, tens of thousands are not.
  /// - While this store's scope is nil, the child's observers are not called and its ``state`` is nil; its own state
  ///   lives on.
  /// - Parameters:
  ///   - initialState: The child's own state at the start.
  ///   - stateMapping: Composes this store's state and the child's own into the state that the child shows. Called on
  ///     the tree's queue: at most once per step for all observers, not at all while there are none, and once more for
  ///     each subscription and each read of ``state``.
  ///   - interceptor: Sees each action of the child before the child's reducer; see
  ///     ``StoreFactory/init(initialState:interceptor:interceptors:effects:stateEffects:qos:clock:onEffectError:monitors:reducer:)``.
  ///   - interceptors: Pass, replace or drop each action of the child before its reducer. They read the child's own
  ///     state.
  ///   - effects: Returns the effect of an action of the child. Called with the child's own state; the ancestors'
  ///     effects follow.
  ///   - stateEffects: The effects of jobs in the child's own state; see ``StateEffect``.
  ///   - qos: The minimum quality of service for actions dispatched to the child; the factory's applies where that is
  ///     higher.
  ///   - reducer: Changes the child's own state.
  @inlinable
  public func childStore<Local: Sendable, Composed: Sendable>(
    initialState: Local,
    stateMapping: @escaping @Sendable (_ state: State, _ local: Local) -> Composed,
    interceptor: (@Sendable (_ action: Action, _ dispatch: @escaping @Sendable (Action) -> Void) -> Void)? = nil,
    interceptors: [Interceptor<Local, Action>] = [],
    effects: (@Sendable (_ state: Local, _ action: Action) -> Effect<Action>)? = nil,
    stateEffects: [StateEffect<Local, Action>] = [],
    qos: DispatchQoS = .unspecified,
    reducer: @escaping Reducer<Local, Action>
  ) -> StoreObject<Composed, Action>? {
    let store = asStore
    guard let address = store.address, let owner = address.owner else {
      store.reportUseAfterRelease()
      return nil
    }
    // The owner is retained here, so the node exists.
    let parent = unsafeDowncast(address.tree.target(of: address)!, to: Node.self)
    let ancestors = store.sink.ancestors(parent)
    let box = StateBox(initialState)
    let (read, connect) = (store.read, store.connect)
    let monitored = parent.monitored.map { MonitoredStore(below: $0, Local.self) }
    let childAddress = NodeAddress(on: address.tree, quality: qos, monitored: monitored)
    let child = Store<Composed, Action>(at: childAddress, presences: store.presences)
    let performer = EffectPerformer(
      effects: effects,
      stateEffects: stateEffects,
      of: box,
      at: childAddress,
      child.sink,
      onEffectError: ancestors.onEffectError
    )
    let node = StateNode<Composed, Action>(
      at: childAddress,
      dispatch: child.sink.dispatch,
      parent: parent,
      read: { read(parent).map { stateMapping($0, box.pointer.pointee) } },
      reduce: ancestors.makeReduce(reducer, box, on: address.tree),
      canFail: ancestors.canFail,
      interceptors: ancestors.interceptors(
        after: InterceptorChain(interceptor, interceptors, at: childAddress, read: box.read(on: address.tree))
      ),
      discard: ancestors.discard,
      effects: EffectPerformer.makePerform(performer, above: ancestors.effects),
      onEffectError: ancestors.onEffectError
    )
    // Unretained: the node keeps this observer through its parent subscription, so keeping the node here would be a
    // cycle.
    let unmanaged = Unmanaged.passUnretained(node)
    let parentObserver = Observer<State> { state in
      // Borrowed, so that the local state is not copied; see `Borrowable`.
      func compose(with local: borrowing Borrowable<Local>) -> Composed { stateMapping(state, local.value) }
      return unmanaged._withUnsafeGuaranteedRef { node in
        node.receive { compose(with: box.borrowable.pointee) }
        return .active
      }
    }
    let childOwner = node.begin(below: owner, box, performer) { _ = connect(parentObserver, .child(node)) }
    return StoreObject(owner: childOwner, store: child)
  }

  /// Makes a child store whose state is the pair of this store's state and the child's own; nil once the owner is gone.
  ///
  /// - Otherwise like
  ///   ``childStore(initialState:stateMapping:interceptor:interceptors:effects:stateEffects:qos:reducer:)``.
  @inlinable
  public func childStore<Local: Sendable>(
    initialState: Local,
    interceptor: (@Sendable (_ action: Action, _ dispatch: @escaping @Sendable (Action) -> Void) -> Void)? = nil,
    interceptors: [Interceptor<Local, Action>] = [],
    effects: (@Sendable (_ state: Local, _ action: Action) -> Effect<Action>)? = nil,
    stateEffects: [StateEffect<Local, Action>] = [],
    qos: DispatchQoS = .unspecified,
    reducer: @escaping Reducer<Local, Action>
  ) -> StoreObject<(State, Local), Action>? {
    childStore(
      initialState: initialState,
      stateMapping: { ($0, $1) },
      interceptor: interceptor,
      interceptors: interceptors,
      effects: effects,
      stateEffects: stateEffects,
      qos: qos,
      reducer: reducer
    )
  }
}
