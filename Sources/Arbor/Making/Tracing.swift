/// The choice between the traced and the untraced path of actions, made with each node: traced if its tree has
/// monitors.
extension Store {
  /// Makes the store of a whole node, which traces actions if the tree has monitors.
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
  /// Opens the node's address, so that actions are accepted. They are traced if the tree has monitors.
  @inlinable
  func open() {
    if tree.monitoring == nil { open(tracedBy: Untraced.self) } else { open(tracedBy: MonitorTracer.self) }
  }
}
