extension StateNode {
  /// Gives the node an owner and opens it: the last stage in making a store.
  ///
  /// - In this order: the owner, which closes the address when it is released; the monitors, which learn of the store
  ///   before its first action; then the node accepts actions and joins its parent, and the effects of the initial
  ///   state begin.
  /// - Parameters:
  ///   - parent: The owner of the node above, which the new owner retains; nil for the root.
  ///   - effects: The store's effects; nil if it declares none.
  ///   - join: Joins the node to its parent.
  @inlinable @inline(__always)
  func begin(
    below parent: Owner?,
    _ effects: FeatureEffects<Action>?,
    join: () -> Void = {}
  ) -> Owner {
    let owner = Owner(of: nodeAddress, parent: parent)
    registerWithMonitors()
    open()
    join()
    effects?.begin()
    return owner
  }

  /// Opens the node's address, so that actions are accepted. They are traced if monitors of the tree want them.
  @inlinable
  func open() {
    if tree.tracesActions {
      open(tracedBy: MonitorTracer.self)
    } else {
      open(tracedBy: Untraced.self)
    }
  }
}

extension Store {
  /// Makes the store of a whole node. Its sink and the node agree on the tracer.
  @inlinable
  init(at address: NodeAddress, presences: [AttachmentHost.PresenceSource] = []) {
    if address.tree.tracesActions {
      self.init(at: address, tracedBy: MonitorTracer.self, presences: presences)
    } else {
      self.init(at: address, tracedBy: Untraced.self, presences: presences)
    }
  }
}
