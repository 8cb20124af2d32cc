public import Dispatch

extension Store {
  /// Makes a child of this store. If the owner is gone, the child is closed.
  ///
  /// - Parameters:
  ///   - feature: Its state is the child's own, its actions are the child's.
  ///   - makeWay: Makes the way of the child's actions to the store's node from the way of this store's.
  ///   - makeReduce: Makes the function that reduces an action; called with the feature's reducer.
  ///   - canFail: Returns `true` if an action may turn out to be no step; nil if none can.
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
    let monitored = parent.monitored.map { MonitoredStore(below: $0, Local.self) }
    let childAddress = NodeAddress(on: address.tree, quality: qos, monitored: monitored)
    let child = Store<Composed, ChildAction>(at: childAddress, presences: presences)
    let target = EffectTarget(child.sink, onEffectError: way.onEffectError)
    let readComposed: @Sendable () -> Composed? = { read(parent).map { stateMapping($0, box.pointer.pointee) } }
    let functions = feature.make(FeaturePlace(at: childAddress, .own(box), .one(target)))
    var reduce = makeReduce(functions.reducer, box, address.tree)
    if let follower = address.tree.follower {
      var new = NewStore(at: childAddress, box, feature, updateEffects: functions.effects?.update, reduce: reduce)
      follower.willBegin(&new)
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
    let childOwner = node.begin(below: owner) { _ = connect(parentObserver, .child(node)) }
    functions.effects?.begin()
    return StoreObject(owner: childOwner, store: child)
  }
}
