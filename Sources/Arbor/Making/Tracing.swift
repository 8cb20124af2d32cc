/// `true` if a tree is traced is known where its nodes are made: here it chooses the way of its actions.
extension Store {
  /// The store of a node as a whole, which is traced if the tree has monitors.
  @inlinable
  init(at address: NodeAddress, watches: [Place.PresenceWatch] = []) {
    if let monitoring = address.mailbox.monitoring {
      self.init(at: address, tracedBy: monitoring, watches: watches)
    } else {
      self.init(at: address, tracedBy: Untraced(), watches: watches)
    }
  }
}

extension StateNode {
  /// Lets in what is sent to this node, traced if the tree has monitors.
  @inlinable
  func open() {
    if let monitoring = mailbox.monitoring { open(tracedBy: monitoring) } else { open(tracedBy: Untraced()) }
  }
}
