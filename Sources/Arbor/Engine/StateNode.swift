/// A node with its types, and the way of an action through it: interceptors, reducers, observers.
///
/// What depends on `State` and `Action` is a closure, or a final method called from one, made where both types are
/// known: so the compiler writes it for those types alone.
@usableFromInline
final class StateNode<State: Sendable, Action: Sendable>: Node, @unchecked Sendable {  // As its superclass.
  /// The state that this node's observers see; nil while it hangs below an optional scope that has none.
  @usableFromInline let read: @Sendable () -> State?

  /// This node's reducer, then each ancestor's; says whether that is a step.
  @usableFromInline let reduce: @Sendable (Action) -> Bool

  /// Lets a change be made where the state is; nil if changes are not all that the reducers do.
  @usableFromInline let writeInPlace: (@Sendable (StateWrite) -> Bool)?

  /// This node's interceptors, then each ancestor's; nil if there are none on the whole way.
  @usableFromInline let interceptors: InterceptorChain<Action>?

  /// The same for what is dispatched here.
  @usableFromInline let intercept: InterceptorChain<Action>.Pass?

  /// Says whether an action may turn out to be no step; nil if none does.
  @usableFromInline let canFail: (@Sendable (Action) -> Bool)?

  /// Lets go of an action that has passed the interceptors and is not reduced after all; nil if none waits above.
  @usableFromInline let discard: (@Sendable () -> Void)?

  /// Performs what an action sets off here, then at each ancestor; nil if nothing is declared on the whole way. Called with the
  /// group of the effects for whose end somebody waits, if anybody does.
  @usableFromInline let effects: (@Sendable (Action, EffectGroup?) -> Void)?

  /// Called with the key of an effect's task, the action that set it off, and the error that it threw.
  @usableFromInline let report: @Sendable ((any Hashable & Sendable)?, Action?, any Error) -> Void

  /// The state that was composed for derived values, until the observers of the same step were called.
  @usableFromInline
  @exclusivity(unchecked)
  var composed: State?

  /// The handler of the actions that are sent here.
  @usableFromInline var handler: Handler?

  /// - Parameter dispatch: Sends an action to this node.
  @inlinable
  init(
    at address: NodeAddress,
    dispatch: @escaping @Sendable (Action) -> Bool,
    parent: Node?,
    read: @escaping @Sendable () -> State?,
    reduce: @escaping @Sendable (Action) -> Bool,
    writeInPlace: (@Sendable (StateWrite) -> Bool)? = nil,
    canFail: (@Sendable (Action) -> Bool)? = nil,
    interceptors: InterceptorChain<Action>? = nil,
    discard: (@Sendable () -> Void)? = nil,
    effects: (@Sendable (Action, EffectGroup?) -> Void)? = nil,
    report: @escaping @Sendable ((any Hashable & Sendable)?, Action?, any Error) -> Void = { _, _, _ in },
    notifyFromRoot: (@Sendable (_ root: Node) -> Void)? = nil
  ) {
    self.read = read
    self.reduce = reduce
    self.writeInPlace = writeInPlace
    self.canFail = canFail
    self.discard = discard
    self.effects = effects
    self.report = report
    self.interceptors = interceptors
    intercept = interceptors?.makePass { action in _ = dispatch(action) }
    super.init(at: address, parent: parent, notifyFromRoot: notifyFromRoot)
  }

  /// Lets in what is sent to this node. Once, when all that it does is declared; nobody else knows it before.
  @inlinable
  func open<Tracer: StepTracer>(tracedBy tracer: Tracer.Type) {
    // They do not hold the node, nor count its references: it leaves behind everything accepted for it.
    let handler = StateNode.handler(of: Unmanaged.passUnretained(self), tracer)
    self.handler = handler
    nodeAddress.open(to: self, handler)
  }

  /// Calls the observers of the whole tree. Unlike bindings, chaining and this retain nothing.
  @inlinable @inline(__always)
  func notifyTree() {
    root._withUnsafeGuaranteedRef { root in root.notifyFromRoot?(root) }
  }

  /// Calls each observer of the tree, of which this node is the root, if any listens and the tree still has an owner.
  @inlinable
  func notify(fromRoot state: borrowing Borrowable<State>) {
    guard listeners > 0, address.isOpen else {
      if tree.hasComposedStates { forgetComposedStates() }
      return
    }
    // Unless a derived value that was made by a declaration of effects has asked for it.
    if derivedListeners > 0, tree.derivedRevision != tree.revision { updateDerived(fromRoot: state.value) }
    tree.enter(.observers)
    notify(state.value)
    if tree.hasComposedStates { forgetComposedStates() }
    tree.derivedUpdates.updateAndNotify(in: tree)
  }

  @usableFromInline
  override func updateDerivedValuesIfNeeded() {
    guard derivedListeners > 0, tree.derivedRevision != tree.revision, !tree.isInBatch else { return }
    guard !tree.isUpdatingDerivedValues, address.isOpen, let state = read() else { return }
    updateDerived(fromRoot: state)
    // Only in a step do observers follow, who want what was composed.
    if !tree.isPerformingEffects, tree.hasComposedStates { forgetComposedStates() }
  }

  override func forgetComposedState() {
    composed = nil
  }

  /// Calls this node's observers, then those of each child with its own composition of the state.
  ///
  /// - A callback may release owners meanwhile, and so may other threads. Who is not to be called any more is found out
  ///   where the observers are: a child never outlives its parent's owner.
  @inlinable @inline(__always)
  func notify(_ state: State) {
    notifyObservers(state)
    notifyChildren(state)
  }

  /// Gives each child what its state is composed of. None is ended or paused: a child leaves between two rounds.
  @inlinable @inline(__always)
  func notifyChildren(_ state: State) {
    var next = children.first
    while let current = next {
      next = current._withUnsafeGuaranteedRef { child in
        _ = unsafeDowncast(child, to: StateSubscription<State>.self).call(state)
        return child.next
      }
    }
  }
}
