/// The choice between the traced way of actions and the bare one, made with each node: by whether its tree has monitors.
extension Store {
  /// The store of a node as a whole, which is traced if the tree has monitors.
  @inlinable
  init(at address: NodeAddress, presences: [AttachmentHost.PresenceSource] = []) {
    if address.tree.monitoring == nil {
      self.init(at: address, tracedBy: Untraced.self, presences: presences)
    } else {
      self.init(at: address, tracedBy: MonitorTracer.self, presences: presences)
    }
  }
}

extension StateNode {
  /// Lets in what is sent to this node, traced if the tree has monitors.
  @inlinable
  func open() {
    if tree.monitoring == nil { open(tracedBy: Untraced.self) } else { open(tracedBy: MonitorTracer.self) }
  }
}
