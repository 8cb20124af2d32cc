/// What the owners of a node share: when the last of them lets go, the node leaves its tree.
///
/// - An owner keeps its ancestors' owners, so that a child object keeps its whole tree alive.
@usableFromInline
final class Owner: Sendable {
  private let port: Port
  private let parent: Owner?

  @usableFromInline
  init(of port: Port, parent: AnyObject?) {
    self.port = port
    self.parent = parent.map { unsafeDowncast($0, to: Owner.self) }
    port.door.owner = self
  }

  deinit {
    if let node = port.residentInside { unsafeDowncast(node, to: Node.self).discount() }
    port.door.tasks.close()
    port.door.activities.close()
    port.mailbox.close(port.door) { node in unsafeDowncast(node, to: Node.self).detach() }
    if let store = port.door.monitored { port.mailbox.monitoring?.post(.storeGone(store), through: port.mailbox) }
  }
}
