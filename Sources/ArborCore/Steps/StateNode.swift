/// A node with its types: a station of actions, and the state that its observers receive.
@usableFromInline
final class StateNode<State: Sendable, Action: Sendable>: Station<Action>, @unchecked Sendable {
  // Sendable like its superclass.

  /// Reads the state that this node's observers receive; nil while a scope above it has no value.
  @usableFromInline let read: @Sendable () -> State?

  /// `true` if a commit can change the node's own state in place, without an action, while nothing observes actions.
  @usableFromInline let commitsInPlace: Bool

  /// The state that was composed for effects or early observers, until the observers of the same step are called.
  @usableFromInline
  @exclusivity(unchecked)
  var composed: State?

  /// The handler of the actions that are sent here.
  @usableFromInline var handler: Handler?

  /// - Parameter box: The node's own state.
  @inlinable
  convenience init(
    at address: NodeAddress,
    parent: AnyStation?,
    _ box: AnyStateBox,
    read: @escaping @Sendable () -> State?,
    _ functions: StationFunctions<Action>,
    _ way: WayToParent<Action>? = nil,
    onEffectError: EffectErrorHandler<Action>?,
    commitsInPlace: Bool = false,
    notifyAll: (@Sendable (_ root: Node) -> Void)? = nil
  ) {
    self.init(
      at: address,
      parent: parent,
      box,
      read: read,
      functions,
      way,
      onEffectError: onEffectError,
      commitsInPlace: commitsInPlace,
      judge: { station, position in Station<Action>.of(station).judgeHere(from: &position) },
      visit: { station, stage in Station<Action>.of(station).visit(stage) },
      notifyAll: notifyAll
    )
  }

  @usableFromInline
  init(
    at address: NodeAddress,
    parent: AnyStation?,
    _ box: AnyStateBox,
    read: @escaping @Sendable () -> State?,
    _ functions: StationFunctions<Action>,
    _ way: WayToParent<Action>?,
    onEffectError: EffectErrorHandler<Action>?,
    commitsInPlace: Bool,
    judge: @escaping @Sendable (_ station: AnyStation, _ position: inout StepPosition) -> Judgment,
    visit: @escaping @Sendable (_ station: AnyStation, _ stage: StepStage) -> Bool,
    notifyAll: (@Sendable (_ root: Node) -> Void)?
  ) {
    self.read = read
    self.commitsInPlace = commitsInPlace
    super.init(
      at: address,
      parent: parent,
      box,
      functions,
      way,
      onEffectError: onEffectError,
      judge: judge,
      visit: visit,
      notifyAll: notifyAll
    )
  }

  /// Gives the node an owner and opens it. This is the last stage of making a store.
  ///
  /// - The order: first the owner is made, which closes the address when it is released; then the monitors learn of the
  ///   store, before its first action; then the node accepts actions and joins its parent.
  /// - Parameters:
  ///   - parent: The owner of the node above, which the new owner retains; nil for the root.
  ///   - join: Joins the node to its parent.
  @inlinable
  func begin(below parent: Owner?, join: () -> Void = {}) -> Owner {
    let owner = Owner(of: nodeAddress, parent: parent)
    reportMade()
    open()
    join()
    return owner
  }

  /// Opens the address: from here on, entries are accepted. Called once, when everything in the node is set up, and
  /// before the node is shared.
  @inlinable
  func open() {
    // Unretained is safe: the node is freed after everything accepted for it.
    let handler = StateNode.handler(of: .passUnretained(self), isTraced: isTraced)
    self.handler = handler
    send = { address, action in StateNode.send(action, to: address) }
    if isTraced { send = { address, action in StateNode.sendTraced(action, to: address) } }
    nodeAddress.open(to: self, handler)
  }

  /// Calls the observers of the whole tree, without retaining anything.
  @inlinable @inline(__always)
  func notifyTree() {
    tree.root._withUnsafeGuaranteedRef { root in root.notifyAll?(root) }
  }

  /// Calls the early observers of this root's tree, then the others, if there are any and the tree has an owner.
  @inlinable
  func notify(fromRoot state: borrowing Borrowable<State>) {
    guard subscriptionCount > 0, address.isOpen else {
      if tree.step.hasComposedStates { forgetComposedStates() }
      return
    }
    // The early observers may have received the state already, because another one was subscribed while effects were
    // requested.
    if earlyCount > 0, tree.step.earlyRevision != tree.step.revision { runEarlyRound(fromRoot: state.value) }
    tree.enter(.observers)
    notify(state.value)
    if tree.step.hasComposedStates { forgetComposedStates() }
    tree.actAfterObservers()
  }

  @usableFromInline
  override func runEarlyRoundIfNeeded() {
    guard earlyCount > 0, tree.step.earlyRevision != tree.step.revision, !tree.step.isInBatch else { return }
    guard !tree.step.isEarlyRound, address.isOpen, let state = read() else { return }
    runEarlyRound(fromRoot: state)
    // Outside a step, no observers follow that would use the composed states.
    if !tree.step.isPerformingEffects, tree.step.hasComposedStates { forgetComposedStates() }
  }

  override func forgetComposedState() {
    composed = nil
  }

  /// Calls this node's observers, then those of each child with the child's composed state.
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
        _ = StateSubscription<State>.of(child).call(state)
        return child.next
      }
    }
  }

  /// Receives a function that composes this child's state from the parent's new one.
  ///
  /// - A step with early observers calls it twice: in the first round for the early observers, in the second for the
  ///   others. The state is composed once for both, unless effects requested it earlier.
  @inlinable @inline(__always)
  func receive(_ compose: () -> State) {
    if tree.step.isEarlyRound {
      if earlyCount > 0 { notifyEarly(composed: composed ?? compose()) }
    } else if hasObservers {
      // Only checked if a node has kept a state, because `take` writes to memory.
      notify(tree.step.hasComposedStates ? composed.take() ?? compose() : compose())
    }
  }
}

/// The early observers, which are called before the other observers of a step.
extension StateNode {
  /// Calls the early observers of this root's tree.
  @usableFromInline @inline(never)
  func runEarlyRound(fromRoot state: State) {
    tree.enter(.earlyObservers)
    tree.step.isEarlyRound = true
    notifyEarly(state)
    tree.step.isEarlyRound = false
    tree.step.earlyRevision = tree.step.revision
    tree.actBeforeObservers()
  }

  /// Calls the early observers of this node, then those of its descendants.
  @usableFromInline
  func notifyEarly(_ state: State) {
    var next = earlyObservers.first
    while let current = next { next = call(current, with: state) }
    notifyChildren(state)
  }

  /// Calls the early observers with a composed state, and keeps the state for the other observers of the same step.
  @usableFromInline @inline(never)
  func notifyEarly(composed state: State) {
    notifyEarly(state)
    if hasObservers || tree.step.isPerformingEffects { keep(composed: state) }
  }

  /// Returns the state; nil while a scope above has no value.
  ///
  /// - While effects are performed, a child's state is composed once for all of them and for the observers. In a batch
  ///   it is composed each time, because the next action changes it.
  @inlinable @inline(__always)
  func currentState() -> State? { tree.step.isPerformingEffects ? stateForEffects() : read() }

  @inlinable @inline(never)
  func stateForEffects() -> State? {
    if let composed { return composed }
    guard let state = read() else { return nil }
    if parent != nil, !tree.step.isInBatch { keep(composed: state) }
    return state
  }

  /// Keeps a composed state for the observers of the same step.
  @inlinable
  func keep(composed state: State) {
    composed = state
    tree.step.nodesWithComposedState.append(self)
  }

  /// Drops the composed states that were kept for observers.
  @usableFromInline @inline(never)
  func forgetComposedStates() {
    while let node = tree.step.nodesWithComposedState.popLast() { node.forgetComposedState() }
  }
}
