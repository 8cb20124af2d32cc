public import Dispatch

extension Store {
  /// Makes a child of this store. If the owner is gone, the child is closed.
  ///
  /// - Parameters:
  ///   - feature: Its state is the child's own, its actions are the child's.
  ///   - below: Makes the ancestors of the child, which take its actions, from those that take this store's.
  ///   - makeReduce: Makes the function that reduces an action and returns whether that was a step; called with the
  ///     ancestors, the feature's reducer, and the box of the child's own state.
  ///   - makeCanFail: Makes the function that answers whether an action may turn out to be no step.
  @inlinable
  func child<Local: Sendable, Composed: Sendable, ChildAction: Sendable>(
    initialState: Local,
    stateMapping: @escaping @Sendable (_ state: State, _ local: Local) -> Composed,
    feature: Feature<Local, ChildAction>,
    composedEffects: (@Sendable (_ state: Composed, _ action: ChildAction) -> Effect<ChildAction>)? = nil,
    qos: DispatchQoS,
    below: (Ancestors<Action>) -> Ancestors<ChildAction>,
    reduce makeReduce: (Ancestors<ChildAction>, Reducer<Local, ChildAction>?, StateBox<Local>, Tree) ->
      @Sendable (ChildAction) -> Bool,
    canFail makeCanFail: (Ancestors<ChildAction>) -> (@Sendable (ChildAction) -> Bool)?
  ) -> StoreObject<Composed, ChildAction> {
    guard let address, let owner = address.owner else {
      reportUseAfterRelease()
      return StoreObject(closedOn: sink.enclosingHost.tree)
    }
    // The owner is retained here, so the node exists.
    let parent = unsafeDowncast(address.tree.target(of: address)!, to: Node.self)
    let ancestors = below(sink.ancestors(parent))
    let box = StateBox(initialState)
    let (read, connect) = (read, connect)
    let monitored = parent.monitored.map { MonitoredStore(below: $0, Local.self) }
    let childAddress = NodeAddress(on: address.tree, quality: qos, monitored: monitored)
    let child = Store<Composed, ChildAction>(at: childAddress, presences: presences)
    let target = EffectTarget(child.sink, onEffectError: ancestors.onEffectError)
    let readComposed: @Sendable () -> Composed? = { read(parent).map { stateMapping($0, box.pointer.pointee) } }
    var functions = feature.make(FeaturePlace(at: childAddress, .own(box), .one(target)))
    if let composedEffects {
      // The node outlives every step of its actions.
      let readOnce: @Sendable () -> Composed? = {
        childAddress.unownedTarget._withUnsafeGuaranteedRef {
          unsafeDowncast($0, to: StateNode<Composed, ChildAction>.self).currentState()
        }
      }
      let place = FeaturePlace(at: childAddress, .parts(PartAccess(computedBy: readOnce)), .one(target))
      functions = functions.followed(by: Feature(effects: composedEffects, reducer: nil).make(place).effects)
    }
    let reduce = childAddress.recording(
      box,
      by: feature.makeReducerBesideTree(),
      updateEffects: functions.effects?.update,
      makeReduce(ancestors, functions.reducer, box, address.tree)
    )
    let node = StateNode<Composed, ChildAction>(
      at: childAddress,
      dispatch: child.sink.dispatch,
      parent: parent,
      read: readComposed,
      reduce: reduce,
      canFail: makeCanFail(ancestors),
      interceptors: ancestors.interceptors(
        after: functions.interceptors(
          at: childAddress,
          isTopmost: ancestors.intercept == nil,
          read: box.read(on: address.tree)
        ),
        at: childAddress
      ),
      discard: both(functions.discard, ancestors.discard),
      effects: functions.effects?.perform(before: ancestors.effects) ?? ancestors.effects,
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
    let childOwner = node.begin(below: owner, box, functions.effects) { _ = connect(parentObserver, .child(node)) }
    return StoreObject(owner: childOwner, store: child)
  }
}
