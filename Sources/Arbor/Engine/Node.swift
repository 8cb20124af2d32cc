/// A place in the tree: who listens there, and what hangs below it. What depends on its types is in ``StateNode``.
@usableFromInline
class Node: @unchecked Sendable {  // Touched on the tree's queue only, or under its lock while it is idle.
  @usableFromInline let mailbox: Mailbox

  /// Kept alive: a node needs its ancestors' states and reducers.
  @usableFromInline let parent: Node?

  @usableFromInline let observers = SubscriptionList()
  @usableFromInline let children = SubscriptionList()
  private var subscriptions: [Subscription.Key: Unmanaged<Subscription>] = [:]

  /// This node's own place among its parent's children.
  private var membership: Subscription?

  /// How many observers listen here and below.
  @usableFromInline
  @exclusivity(unchecked)
  private(set) final var listeners = 0

  @usableFromInline
  init(mailbox: Mailbox, parent: Node?) {
    self.mailbox = mailbox
    self.parent = parent
  }

  /// The observer's subscription, if it listens there and has not said that it is dead.
  @usableFromInline
  final func subscription(for key: Subscription.Key) -> Subscription? {
    guard let subscription = subscriptions[key]?.takeUnretainedValue() else { return nil }
    guard subscription.isEnded else { return subscription }
    takeOut(subscription)
    return nil
  }

  @usableFromInline
  final func link(_ subscription: Subscription) {
    guard let key = subscription.key else { return children.append(subscription) }
    observers.append(subscription)
    subscriptions[key] = Unmanaged.passUnretained(subscription)
    addListeners(1)
  }

  /// Takes a subscription out and hands the list's reference over; nil if that was done before.
  @usableFromInline
  @discardableResult
  final func unlink(_ subscription: Subscription) -> Subscription? {
    guard let key = subscription.key else { return children.remove(subscription) }
    guard subscriptions[key]?.toOpaque() == Unmanaged.passUnretained(subscription).toOpaque() else { return nil }
    subscriptions[key] = nil
    addListeners(-1)
    return observers.remove(subscription)
  }

  /// Takes out a subscription that has ended, and lets its observer go.
  @usableFromInline
  final func takeOut(_ subscription: Subscription) {
    unlink(subscription)?.releaseClosure()
  }

  /// Makes this node a child of its parent.
  @usableFromInline
  final func join(_ membership: Subscription, of parent: Node) {
    self.membership = membership
    parent.link(membership)
  }

  /// Takes this node out of its parent.
  @usableFromInline
  final func detach() {
    parent?.addListeners(-listeners)
    guard let membership, !membership.isEnded else { return }
    membership.end()
    parent?.unlink(membership)
  }

  private func addListeners(_ count: Int) {
    var node: Node? = self
    while let current = node {
      current.listeners += count
      node = current.parent
    }
  }
}
