/// Updating derived values, before the observers of a step are called.
extension StateNode {
  /// Updates the derived values of this root's tree.
  @usableFromInline @inline(never)
  func updateDerived(fromRoot state: State) {
    tree.enter(.derivedValues)
    tree.isUpdatingDerivedValues = true
    updateDerived(state)
    tree.isUpdatingDerivedValues = false
    tree.derivedRevision = tree.revision
    tree.derivedUpdates.update()
  }

  /// Passes the state to the derived values of this node, then to those of its descendants.
  @usableFromInline
  func updateDerived(_ state: State) {
    var next = derivedSubscriptions.first
    while let current = next { next = call(current, with: state) }
    notifyChildren(state)
  }

  /// Passes a composed state to the derived values, and keeps it for the observers of the same step.
  @usableFromInline @inline(never)
  func updateDerived(composed state: State) {
    updateDerived(state)
    if hasObservers || tree.isPerformingEffects { keep(composed: state) }
  }

  /// The state; nil while a scope above has no value.
  ///
  /// - While effects are performed, a child's state is composed once for all of them and for the observers. In a batch it
  ///   is composed each time: the next action changes it.
  @inlinable @inline(__always)
  func currentState() -> State? { tree.isPerformingEffects ? stateForEffects() : read() }

  @inlinable @inline(never)
  func stateForEffects() -> State? {
    if let composed { return composed }
    guard let state = read() else { return nil }
    if parent != nil, !tree.isInBatch { keep(composed: state) }
    return state
  }

  /// Keeps a composed state for the observers of the same step.
  @inlinable
  func keep(composed state: State) {
    composed = state
    tree.nodesWithComposedState.append(self)
    tree.hasComposedStates = true
  }

  /// Drops the composed states that were kept for observers.
  @usableFromInline @inline(never)
  func forgetComposedStates() {
    while let node = tree.nodesWithComposedState.popLast() { node.forgetComposedState() }
    tree.hasComposedStates = false
  }
}
