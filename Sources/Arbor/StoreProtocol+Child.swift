public import Dispatch

extension StoreProtocol {
  /// Makes a child store: a state of its own beside this store's, with its own reducer; nil once the owner is gone.
  ///
  /// - Its actions go up the tree: they pass its own interceptor and reducer, then those of this store's node and of each
  ///   ancestor. Actions dispatched elsewhere never reach it.
  /// - The child lives as long as the object that is returned, which keeps the whole tree above it alive.
  /// - A level of children costs stack in each step: thousands are fine, not tens of thousands.
  /// - While this store's scope is nil, the child's observers are not called and its state is nil; its own state lives on.
  /// - Parameters:
  ///   - initialState: The child's own state at the start.
  ///   - stateMapping: Composes this store's state and the child's own. Runs on the store's queue: at most once a step for
  ///     all observers, not at all if nobody listens, and once more whenever somebody subscribes or reads ``state``.
  ///   - interceptor: Sees each action before the child's reducer; see ``StoreFactory/init(initialState:interceptor:interceptors:effects:stateEffects:qos:clock:onEffectError:monitors:reducer:)``.
  ///   - interceptors: Judge each action of the child before its reducer, and read the child's own state.
  ///   - effects: The effect of an action of the child; asked with the child's own state. Those of the ancestors follow.
  ///   - stateEffects: Work that is a function of the child's own state.
  ///   - qos: The least quality of service for what is dispatched to the child; the factory's if that is higher.
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
    // The owner is held, so the node is there.
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
      report: ancestors.report
    )
    let node = StateNode<Composed, Action>(
      at: childAddress,
      dispatch: child.sink.dispatch,
      parent: parent,
      read: { read(parent).map { stateMapping($0, box.pointer.pointee) } },
      reduce: ancestors.reducing(reducer, box, on: address.tree),
      canFail: ancestors.canFail,
      interceptors: ancestors.interceptors(
        after: InterceptorChain(interceptor, interceptors, at: childAddress, read: box.read(on: address.tree))
      ),
      discard: ancestors.discard,
      effects: EffectPerformer.makePerform(performer, above: ancestors.effects),
      report: ancestors.report
    )
    // The node holds its membership, which therefore does not hold the node.
    let unmanaged = Unmanaged.passUnretained(node)
    let parentSubscription = Observer<State> { state in
      func compose(with local: borrowing Borrowable<Local>) -> Composed { stateMapping(state, local.value) }
      return unmanaged._withUnsafeGuaranteedRef { node in
        node.receive { compose(with: box.held.pointee) }
        return .active
      }
    }
    // From here on others may know it.
    let childOwner = Owner(of: childAddress, parent: owner)
    node.registerWithMonitors { box.pointer.pointee }
    node.open()
    _ = connect(parentSubscription, .child(node))
    performer?.begin()
    return StoreObject(owner: childOwner, store: child)
  }

  /// Makes a child store whose state is the pair of this store's state and the child's own; nil once the owner is gone.
  ///
  /// - In all else as ``childStore(initialState:stateMapping:interceptor:interceptors:effects:stateEffects:qos:reducer:)``.
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
