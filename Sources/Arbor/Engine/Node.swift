/// A place in the tree: who listens there, and what hangs below it. What depends on its types is in ``StateNode``.
///
/// Lists change between two rounds of notification only, or as an observer leaves in its own call; counts at any time.
@usableFromInline
class Node: @unchecked Sendable {  // Touched on the tree's queue only, or under its lock while it is idle.
  @usableFromInline let mailbox: Mailbox

  /// Kept alive: a node needs its ancestors' states and reducers.
  @usableFromInline let parent: Node?

  /// The node that has no parent, above this one or itself. Not retained: the parents do that.
  @usableFromInline
  @exclusivity(unchecked)
  private(set) final var root: Unmanaged<Node>!

  /// Where stores and interceptors reach the node. It holds the node, until the owner lets go.
  @usableFromInline final let address: NodeAddress

  /// The node's identity for monitors; nil if there are none.
  @usableFromInline final let monitored: MonitoredStore?

  /// The objects of features that are let go of with the node. On the tree's queue only.
  @usableFromInline final let attachments = Attachments()

  /// This node's own state, for monitors. Set before anyone else knows the node.
  private var ownState: (@Sendable () -> any Sendable)?

  @usableFromInline
  @exclusivity(unchecked)
  private(set) final var observers = SubscriptionList()

  /// The subscriptions that feed derived values.
  @usableFromInline
  @exclusivity(unchecked)
  private(set) final var followers = SubscriptionList()

  @usableFromInline
  @exclusivity(unchecked)
  private(set) final var children = SubscriptionList()

  /// This node's own place among its parent's children.
  private var membership: Subscription?

  /// The number of observers and followers here and below.
  @usableFromInline
  @exclusivity(unchecked)
  private(set) final var listeners = 0

  /// The number of followers here and below.
  @usableFromInline
  @exclusivity(unchecked)
  private(set) final var followersBelow = 0

  /// `true` if the parent counts those who listen here among its own.
  private var isCounted = true

  @usableFromInline
  init(at address: NodeAddress, parent: Node?) {
    mailbox = address.mailbox
    self.address = address
    monitored = address.monitored
    self.parent = parent
    root = parent?.root ?? .passUnretained(self)
  }

  deinit {
    observers.free()
    followers.free()
    children.free()
  }

  /// Makes this node known to the monitors, if there are any. Once, before anyone else knows it.
  @usableFromInline
  final func introduce(_ ownState: @escaping @Sendable () -> any Sendable) {
    guard let monitored else { return }
    self.ownState = ownState
    mailbox.post(.storeMade(monitored))
  }

  /// The own states of this node and of each ancestor, the root's last.
  @usableFromInline
  final func ownStates() -> [any Sendable] {
    guard let ownState else { return [] }
    return [ownState()] + (parent?.ownStates() ?? [])
  }

  /// Forgets the state that was composed in this step.
  func forgetComposed() {}

  /// Brings the derived values of the tree up to date, of which this node is the root, if they are not yet: in a callback between
  /// the reducers and the observers.
  @usableFromInline
  func catchUp() {}

  /// Adds the subscription of an observer or a follower at the end.
  @usableFromInline
  final func link(_ subscription: Subscription) {
    if subscription.isFollower { followers.append(subscription) } else { observers.append(subscription) }
    subscription.isLinked = true
    subscription.wasLinked = true
    subscription.isCounted = true
    addListeners(1, followers: subscription.isFollower ? 1 : 0)
    if let monitored { mailbox.listener?.tell(.observerMade(in: monitored)) }
  }

  /// Takes a subscription out, if it is in, and hands the list's reference over.
  @usableFromInline
  @discardableResult
  final func unlink(_ subscription: Subscription) -> Subscription? {
    guard subscription.isLinked else { return nil }
    subscription.isLinked = false
    discount(subscription)
    return subscription.isFollower ? followers.remove(subscription) : observers.remove(subscription)
  }

  /// Does not count a subscription among the listeners any more.
  final func discount(_ subscription: Subscription) {
    guard subscription.isCounted else { return }
    subscription.isCounted = false
    addListeners(-1, followers: subscription.isFollower ? -1 : 0)
  }

  /// Makes this node the last child of its parent.
  @usableFromInline
  final func join(_ membership: Subscription) {
    self.membership = membership
    parent?.children.append(membership)
  }

  /// Takes this node out of its parent. Once, when its address was closed.
  ///
  /// - Keeps the membership, whose closures hold what is a user's: they go with the node, when no lock is held.
  final func detach() {
    discount()
    if let membership { _ = parent?.children.remove(membership) }
  }

  /// Does not count those who listen here any more, neither here nor above.
  final func discount() {
    guard isCounted else { return }
    addListeners(-listeners, followers: -followersBelow)
    isCounted = false
  }

  private func addListeners(_ count: Int, followers: Int) {
    var node: Node? = self
    while let current = node {
      current.listeners += count
      current.followersBelow += followers
      node = current.isCounted ? current.parent : nil
    }
  }
}

/// Subscriptions in the order in which they were made; adding, and taking out any of them, is O(1).
///
/// The links are bare pointers and each member is retained once by hand, so that walking the list costs no reference
/// counting and a list of any length is freed without recursion.
@usableFromInline
struct SubscriptionList {
  @usableFromInline private(set) var first: Unmanaged<Subscription>?
  private var last: Unmanaged<Subscription>?

  mutating func append(_ subscription: Subscription) {
    let added = Unmanaged.passRetained(subscription)
    subscription.previous = last
    if let last {
      last._withUnsafeGuaranteedRef { $0.next = added }
    } else {
      first = added
    }
    last = added
  }

  /// Takes a member out and hands the list's reference over, so that nothing of a user is released here.
  mutating func remove(_ subscription: Subscription) -> Subscription {
    let (previous, next) = (subscription.previous, subscription.next)
    if let previous {
      previous._withUnsafeGuaranteedRef { $0.next = next }
    } else {
      first = next
    }
    if let next {
      next._withUnsafeGuaranteedRef { $0.previous = previous }
    } else {
      last = previous
    }
    subscription.previous = nil
    subscription.next = nil
    return Unmanaged.passUnretained(subscription).takeRetainedValue()
  }

  /// Frees all members, and lets the observers go. Nothing uses the list afterwards.
  func free() {
    var next = first
    while let current = next?.takeRetainedValue() {
      next = current.next
      _ = current.takeClosure()
    }
  }
}
