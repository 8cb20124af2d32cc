/// Bringing derived values up to date, before the observers of a step are called.
extension StateNode {
  /// Brings the derived values of the tree up to date, of which this node is the root.
  @usableFromInline @inline(never)
  func updateDerived(fromRoot state: State) {
    tree.enter(.derivedValues)
    tree.isUpdatingDerivedValues = true
    updateDerived(state)
    tree.isUpdatingDerivedValues = false
    tree.derivedRevision = tree.revision
    tree.derivedUpdates.update()
  }

  /// Gives the derived values of this node, then those of each child, the state.
  @usableFromInline
  func updateDerived(_ state: State) {
    var next = derivedSubscriptions.first
    while let current = next { next = call(current, with: state) }
    notifyChildren(state)
  }

  /// Called by a child's parent with what the child's state is composed of: first, if there are derived values below, to give
  /// them the state, and then to call the observers. The state is composed once for both.
  @inlinable @inline(__always)
  func receive(_ compose: () -> State) {
    if tree.isUpdatingDerivedValues {
      if derivedListeners > 0 { updateDerived(composed: compose()) }
    } else if listeners > derivedListeners {
      // Looked for only if any node has kept a state: taking writes memory.
      notify(tree.hasComposedStates ? composed.take() ?? compose() : compose())
    }
  }

  @usableFromInline @inline(never)
  func updateDerived(composed state: State) {
    updateDerived(state)
    guard listeners > derivedListeners else { return }
    composed = state
    tree.nodesWithComposedState.append(self)
    tree.hasComposedStates = true
  }

  @usableFromInline @inline(never)
  func forgetComposedStates() {
    for node in tree.nodesWithComposedState { node.forgetComposedState() }
    tree.nodesWithComposedState.removeAll(keepingCapacity: true)
    tree.hasComposedStates = false
  }
}
