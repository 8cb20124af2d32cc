/// A node with its type of actions: what its children need of it, whose actions are of the same type.
@usableFromInline
class ActionNode<Action: Sendable>: Node, @unchecked Sendable {  // As its superclass.
  /// Calls this node's reducer, then each ancestor's, and returns whether that is a step.
  @usableFromInline final let reduce: @Sendable (Action) -> Bool

  /// Returns `true` if an action may turn out to be no step; nil if none can.
  @usableFromInline final let canFail: (@Sendable (Action) -> Bool)?

  /// This node's interceptors, then each ancestor's; nil if there are none.
  @usableFromInline final let interceptors: InterceptorChain<Action>?

  /// Lets go of an action that is no step: dropped, revoked, or failed. Nil if none is kept between the interceptors,
  /// the reducers and the effects.
  @usableFromInline final let discard: (@Sendable () -> Void)?

  /// Performs the effects of an action: this node's, then each ancestor's; nil if none are declared. Called with the
  /// group that tracks the effects, if a caller waits for their end.
  @usableFromInline final let effects: (@Sendable (Action, EffectGroup?) -> Void)?

  /// Reports the error of an effect's task, with the task's key and the action that started it.
  @usableFromInline final let onEffectError: EffectErrorHandler<Action>

  @inlinable
  init(
    at address: NodeAddress,
    parent: Node?,
    reduce: @escaping @Sendable (Action) -> Bool,
    canFail: (@Sendable (Action) -> Bool)?,
    interceptors: InterceptorChain<Action>?,
    discard: (@Sendable () -> Void)?,
    effects: (@Sendable (Action, EffectGroup?) -> Void)?,
    onEffectError: @escaping EffectErrorHandler<Action>,
    notifyAll: (@Sendable (_ root: Node) -> Void)?
  ) {
    self.reduce = reduce
    self.canFail = canFail
    self.interceptors = interceptors
    self.discard = discard
    self.effects = effects
    self.onEffectError = onEffectError
    super.init(at: address, parent: parent, notifyAll: notifyAll)
  }

  /// Calls this node's reducer and each ancestor's, with an action that a child has passed on.
  @inlinable @inline(__always)
  final func reduce(fromBelow action: Action) -> Bool {
    tree.hasAdditions ? reduceNoted(action) : reduce(action)
  }

  // Not specialized, so that both ways take the action where it lies.
  @usableFromInline @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  final func reduceNoted(_ action: Action) -> Bool { reduce(noteAction(action)) }

  /// Performs this node's effects and each ancestor's, of an action that a child has passed on.
  @inlinable @inline(__always)
  final func performEffects(fromBelow action: Action, _ group: EffectGroup?) {
    effects?(tree.hasAdditions ? noteAction(action) : action, group)
  }

  /// The interceptors and effects that were added to this node; nil if none ever were.
  private final var additions: Additions<Action>? {
    attachments.existing(Additions<Action>.self)?._withUnsafeGuaranteedRef { $0 }
  }

  /// Notes this node's action of the running step for what was added here, and returns it: the given one, unless an
  /// interceptor that was added here has replaced that.
  @usableFromInline
  @discardableResult
  final func noteAction(_ action: Action) -> Action {
    guard let additions else { return action }
    let action = additions.action ?? action
    additions.action = action
    return action
  }

  override final func performAdditions(in group: EffectGroup?) {
    additions?.performEffects(at: self, in: group)
  }

  override final func endAdditions() {
    additions?.action = nil
  }
}

/// A node with its types: the functions that an action passes on its way to the observers.
///
/// Code that depends on `State` and `Action` is a closure, or a final method called from one, made where both types are
/// known, so that the compiler specializes it.
@usableFromInline
final class StateNode<State: Sendable, Action: Sendable>: ActionNode<Action>, @unchecked Sendable {
  // Sendable as its superclass.

  /// Reads the state that this node's observers receive; nil while a scope above it has no value.
  @usableFromInline let read: @Sendable () -> State?

  /// Applies a commit to the state in place; nil if the actions are not the mutations alone.
  @usableFromInline let writeInPlace: (@Sendable (StateWrite) -> Bool)?

  /// The interceptors as they run for actions that are dispatched to this node.
  @usableFromInline let intercept: InterceptorChain<Action>.Pass?

  /// The state that was composed for effects or derived values, until the observers of the same step are called.
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
    onEffectError: @escaping EffectErrorHandler<Action> = { _, _, _, _ in },
    notifyAll: (@Sendable (_ root: Node) -> Void)? = nil
  ) {
    self.read = read
    self.writeInPlace = writeInPlace
    intercept = interceptors?.makePass { action in _ = dispatch(action) }
    super.init(
      at: address,
      parent: parent,
      reduce: reduce,
      canFail: canFail,
      interceptors: interceptors,
      discard: discard,
      effects: effects,
      onEffectError: onEffectError,
      notifyAll: notifyAll
    )
  }

  /// Opens the address: from here on entries are accepted. Once, when all that the node does is set up, and before it
  /// is shared.
  @inlinable
  func open<Tracer: StepTracer>(tracedBy tracer: Tracer.Type) {
    // Unretained is safe: the node is freed after everything that was accepted for it.
    let handler = StateNode.handler(of: Unmanaged.passUnretained(self), tracer)
    self.handler = handler
    nodeAddress.open(to: self, handler)
  }

  /// Calls the observers of the whole tree, without retaining anything.
  @inlinable @inline(__always)
  func notifyTree() {
    tree.root._withUnsafeGuaranteedRef { root in root.notifyAll?(root) }
  }

  /// Updates derived values and calls the observers of this root's tree, if there are any and the tree has an owner.
  @inlinable
  func notify(fromRoot state: borrowing Borrowable<State>) {
    guard subscriptionCount > 0, address.isOpen else {
      if tree.hasComposedStates { forgetComposedStates() }
      return
    }
    // A derived value that was made while effects were requested has caused the update already.
    if derivedSubscriptionCount > 0, tree.derivedRevision != tree.revision { updateDerived(fromRoot: state.value) }
    tree.enter(.observers)
    notify(state.value)
    if tree.hasComposedStates { forgetComposedStates() }
    tree.derivedUpdates.updateAndNotify(in: tree)
  }

  @usableFromInline
  override func updateDerivedValuesIfNeeded() {
    guard derivedSubscriptionCount > 0, tree.derivedRevision != tree.revision, !tree.isInBatch else { return }
    guard !tree.isUpdatingDerivedValues, address.isOpen, let state = read() else { return }
    updateDerived(fromRoot: state)
    // Outside a step no observers follow that would use the composed states.
    if !tree.isPerformingEffects, tree.hasComposedStates { forgetComposedStates() }
  }

  override func forgetComposedState() {
    composed = nil
  }

  /// Runs the interceptors that were added to this node and to its ancestors, none of which declares any.
  @usableFromInline @inline(never)
  func passesAdditions<Tracer: StepTracer>(_ action: inout Action, _: Tracer) -> Bool {
    passesAdditions(&action, isTopmost: true) { [address = nodeAddress] action in
      _ = StateNode.send(action, to: address, Tracer.self)
    }
  }

  /// Calls this node's observers, then those of each child with its own composition of the state.
  ///
  /// - A callback or another thread may release owners meanwhile. Each audience checks its own address: a child never
  ///   outlives its parent's owner.
  @inlinable @inline(__always)
  func notify(_ state: State) {
    notifyObservers(state)
    notifyChildren(state)
  }

  /// Passes the state to each child, which composes its own. A child's subscription never ends or pauses during a
  /// round.
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

  /// Receives a function that composes this child's state from the parent's new one.
  ///
  /// - A step with derived values calls it twice: in the first round for the derived values, in the second for the
  ///   observers. The state is composed once for both, unless effects have asked for it before.
  @inlinable @inline(__always)
  func receive(_ compose: () -> State) {
    if tree.isUpdatingDerivedValues {
      if derivedSubscriptionCount > 0 { updateDerived(composed: composed ?? compose()) }
    } else if hasObservers {
      // Checked only if a node has kept a state: `take` writes memory.
      notify(tree.hasComposedStates ? composed.take() ?? compose() : compose())
    }
  }
}

/// Interceptors as one function on a node's actions: the node's own, or these followed by its ancestors'.
@usableFromInline
struct InterceptorChain<Action: Sendable>: Sendable {
  /// Runs interceptors on an action. Returns `false` if one drops it; replaces it in place.
  @usableFromInline
  typealias Pass = @Sendable (_ action: inout Action) -> Bool

  /// Makes the function for the actions of one node; called with that node's `dispatch`.
  @usableFromInline let makePass: @Sendable (_ dispatch: @escaping @Sendable (Action) -> Void) -> Pass

  @usableFromInline
  init(_ makePass: @escaping @Sendable (@escaping @Sendable (Action) -> Void) -> Pass) {
    self.makePass = makePass
  }
}
