extension StateNode {
  /// Gives the node an owner and opens it: the last stage in making a store.
  ///
  /// - In this order: the owner, which closes the address when it is released; the monitors, which learn of the store
  ///   before its first action; then the node accepts actions and joins its parent, and the effects of the initial
  ///   state begin.
  /// - Parameters:
  ///   - parent: The owner of the node above, which the new owner retains; nil for the root.
  ///   - box: The store's own state.
  ///   - performer: The performer of the store's effects; nil if it declares none.
  ///   - join: Joins the node to its parent.
  @inlinable @inline(__always)
  func begin<Own: Sendable>(
    below parent: AnyObject?,
    _ box: StateBox<Own>,
    _ performer: EffectPerformer<Own, Action>?,
    join: () -> Void = {}
  ) -> Owner {
    let owner = Owner(of: nodeAddress, parent: parent)
    registerWithMonitors { box.pointer.pointee }
    open()
    join()
    performer?.begin()
    return owner
  }
}
