/// What the owners of a node share: when the last of them lets go, the node leaves its tree.
///
/// - An owner keeps its ancestors' owners, so that a child object keeps its whole tree alive.
@usableFromInline
final class Owner: Sendable {
  private let address: NodeAddress
  private let parent: Owner?

  @usableFromInline
  init(of address: NodeAddress, parent: AnyObject?) {
    self.address = address
    self.parent = parent.map { unsafeDowncast($0, to: Owner.self) }
    address.owner = self
  }

  deinit {
    if let node = address.residentInside { unsafeDowncast(node, to: Node.self).discount() }
    address.place.attachments.close()
    address.mailbox.close(address) { node in unsafeDowncast(node, to: Node.self).detach() }
    if let store = address.monitored { address.mailbox.post(.storeGone(store)) }
  }
}
