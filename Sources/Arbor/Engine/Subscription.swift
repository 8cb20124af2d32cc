/// An observer's place in a node's list.
@usableFromInline
class Subscription: @unchecked Sendable {  // Links change on the tree's queue only, or under its lock while it is idle.
  /// What makes two subscriptions the same: one observer on one scope.
  @usableFromInline
  struct Key: Hashable, Sendable {
    let observer: Identity
    let scope: Identity

    @usableFromInline
    init(observer: Identity, scope: Identity) {
      self.observer = observer
      self.scope = scope
    }
  }

  let key: Key

  /// Nil for an observer that says only by what it returns whether it has ended.
  @usableFromInline let ending: Ending?

  @usableFromInline
  @exclusivity(unchecked)
  final var next: Unmanaged<Subscription>?

  @exclusivity(unchecked)
  final var previous: Unmanaged<Subscription>?

  @usableFromInline
  init(key: Key, ending: Ending?) {
    self.key = key
    self.ending = ending
  }
}
