/// As what an observer is connected to a node.
@usableFromInline
enum Role: Sendable {
  /// As a user's observer, subscribed through a store of this identity.
  case observer(scope: Identity)

  /// As the way by which a child node gets its parent's states.
  case child(Node)
}
