/// The role of a subscription at its node.
@usableFromInline
enum Role: Sendable {
  /// A user's observer, subscribed through a store of this identity: it is given the current state in its turn.
  case observer(scope: Identity)

  /// The source of a derived value, which has the current state already: it is linked at once. On the tree's queue only.
  case follower

  /// The way by which a child node gets its parent's states.
  case child(Node)
}
