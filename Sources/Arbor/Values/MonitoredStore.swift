/// The identity of a store in a monitored tree: the root or a child. All scopes of a store share its identity.
public struct MonitoredStore: Sendable {
  @usableFromInline let node: NodeIdentity

  @inlinable
  package init(_ node: NodeIdentity) {
    self.node = node
  }

  package init(id: UInt64, parent: UInt64?, stateType: Any.Type, name: String? = nil) {
    self.init(NodeIdentity(number: id, parent: parent, stateType: stateType, name: name))
  }

  /// A number that no other store in the process has.
  @inlinable public var id: UInt64 { node.number }

  /// The number of the parent store; nil for a root.
  @inlinable public var parent: UInt64? { node.parent }

  /// The type of the store's own state, not of the state that a `stateMapping` composes.
  @inlinable public var stateType: Any.Type { node.stateType }

  /// The name that was passed to the root's factory; nil for a child, or if there was none.
  @inlinable public var name: String? { node.name }
}

extension MonitoredStore: Hashable {
  /// Returns `true` if both are the same store.
  @inlinable
  public static func == (left: MonitoredStore, right: MonitoredStore) -> Bool {
    left.id == right.id
  }

  /// Hashes the store's number.
  @inlinable
  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
  }
}

extension MonitoredStore: CustomStringConvertible {
  /// The name that was passed to the factory, or the name of the state's type.
  public var description: String { node.text }
}

extension AttachmentHost {
  /// The identity of the node for monitors; nil without monitors.
  package var monitored: MonitoredStore? { identity.map { MonitoredStore($0) } }
}

extension Node {
  /// The node's identity for monitors; nil without monitors.
  package var monitored: MonitoredStore? { nodeAddress.host.monitored }
}

extension Store {
  /// The identity of the store's node for monitors; nil without monitors.
  package var monitored: MonitoredStore? { address?.host.monitored }
}

extension WaitingEntry {
  /// The identity of the store to which the actions were sent; nil without monitors.
  package var store: MonitoredStore? { node.map { MonitoredStore($0) } }
}
