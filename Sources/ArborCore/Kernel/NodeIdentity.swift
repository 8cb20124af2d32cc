/// The identity of a node for a listener. All scopes of a store share their node's identity.
@usableFromInline
package final class NodeIdentity: Sendable {
  /// A number that no other node in the process has.
  @usableFromInline package let number: UInt64

  /// The number of the parent; nil for a root.
  @usableFromInline package let parent: UInt64?

  /// The type of the node's own state, not of the state that a `stateMapping` composes.
  @usableFromInline package let stateType: Any.Type

  /// The name that was passed to the root's factory; nil for a child, or if there was none.
  @usableFromInline package let name: String?

  package init(number: UInt64, parent: UInt64?, stateType: Any.Type, name: String? = nil) {
    self.number = number
    self.parent = parent
    self.stateType = stateType
    self.name = name
  }

  @usableFromInline
  convenience init(below parent: NodeIdentity?, _ stateType: Any.Type, named name: String? = nil) {
    self.init(number: Identity().number, parent: parent?.number, stateType: stateType, name: name)
  }

  /// The name, or the name of the state's type.
  package var text: String { name ?? String(describing: stateType) }
}
