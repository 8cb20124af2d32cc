/// A node of the tree: its observers, its early observers and its children. ``StateNode`` adds everything that depends
/// on its types.
///
/// - While a round of notification walks a list, the list only changes in the ways that Tree+Links.swift lists, which
///   are safe for the round. The counts change at any time.
/// - A node retains its parent, because it needs the parent's state and reducer.
@usableFromInline
package class Node: Audience, @unchecked Sendable {  // Like its superclass.
  @usableFromInline package let parent: Node?

  /// The address of the node, with its type.
  @inlinable package final var nodeAddress: NodeAddress { unsafeDowncast(address, to: NodeAddress.self) }

  /// The node's identity; nil without a listener.
  @inlinable package final var identity: NodeIdentity? { nodeAddress.host.identity }

  /// The node's identity, not retained. Only use it in a tree with a listener.
  package final var unretainedIdentity: Unmanaged<NodeIdentity> { .passUnretained(identity.unsafelyUnwrapped) }

  /// The objects of features that are released with the node. Only used on the tree's queue.
  @usableFromInline package final let attachments = Attachments()

  /// Calls the observers of the whole tree; called with its root. Nil for every node except the root.
  @usableFromInline final let notifyAll: (@Sendable (_ root: Node) -> Void)?

  /// The subscriptions of the early observers, which receive each state before the others do.
  @usableFromInline
  @exclusivity(unchecked)
  private(set) final var earlyObservers = SubscriptionList()

  /// The subscriptions of the child nodes, in the order they were added.
  @usableFromInline
  @exclusivity(unchecked)
  private(set) final var children = SubscriptionList()

  /// The subscription that makes this node one of its parent's children.
  private var parentSubscription: ObserverSubscription?

  /// The number of observers of this node and its descendants, early ones included.
  @usableFromInline
  @exclusivity(unchecked)
  private(set) final var subscriptionCount: Int32 = 0

  /// The number of early observers of this node and its descendants.
  @usableFromInline
  @exclusivity(unchecked)
  private(set) final var earlyCount: Int32 = 0

  /// `true` while this node's counts are part of its parent's.
  private var isCounted = true

  /// `true` if this node or a descendant has an observer that is not an early one.
  @inlinable final var hasObservers: Bool { subscriptionCount > earlyCount }

  @usableFromInline
  init(at address: NodeAddress, parent: Node?, notifyAll: (@Sendable (_ root: Node) -> Void)?) {
    self.parent = parent
    self.notifyAll = notifyAll
    super.init(at: address)
    if parent == nil { tree.root = .passUnretained(self) }
  }

  deinit {
    // Freed first, in the order they began: the superclass would free them last.
    freeObservers()
    earlyObservers.free()
    children.free()
  }

  /// Reports this node to the listener, if there is one. Called once, before the node is shared.
  @usableFromInline
  final func reportMade() {
    if let identity { tree.post(.nodeMade(identity)) }
  }

  /// Drops the state that was composed in this step.
  func forgetComposedState() {}

  /// Calls the early observers of this root's tree, if a state has changed since they were last called.
  @usableFromInline
  package func runEarlyRoundIfNeeded() {}

  /// Adds a subscription at the end of its list.
  @usableFromInline
  override func link(_ subscription: ObserverSubscription) {
    if subscription.isEarly {
      earlyObservers.append(subscription)
      subscription.isLinked = true
      subscription.wasLinked = true
    } else {
      super.link(subscription)
    }
    subscription.isCounted = true
    addCounts(1, early: subscription.isEarly ? 1 : 0)
    if let identity { tree.listener?.report(.observerMade(in: identity)) }
  }

  @usableFromInline
  @discardableResult
  override func unlink(_ subscription: ObserverSubscription) -> ObserverSubscription? {
    guard subscription.isLinked else { return nil }
    stopCounting(subscription)
    guard subscription.isEarly else { return super.unlink(subscription) }
    subscription.isLinked = false
    return earlyObservers.remove(subscription)
  }

  override func stopCounting(_ subscription: ObserverSubscription) {
    guard subscription.isCounted else { return }
    subscription.isCounted = false
    addCounts(-1, early: subscription.isEarly ? -1 : 0)
  }

  /// Makes this node the last child of its parent.
  @usableFromInline
  final func join(_ parentSubscription: ObserverSubscription) {
    self.parentSubscription = parentSubscription
    parent?.children.append(parentSubscription)
  }

  /// Removes this node from its parent. Called once, after its address was closed.
  ///
  /// - The node keeps its parent subscription: the closures in it hold a user's objects, which must not be released
  ///   under a lock.
  override func cutLinks() {
    stopCountingSubscriptions()
    if let parentSubscription { _ = parent?.children.remove(parentSubscription) }
  }

  /// Does nothing: a node's observers are released with the node.
  override func releaseObservers() {}

  /// Removes this node's counts from those of its ancestors.
  final func stopCountingSubscriptions() {
    guard isCounted else { return }
    addCounts(-subscriptionCount, early: -earlyCount)
    isCounted = false
  }

  private func addCounts(_ count: Int32, early: Int32) {
    var node: Node? = self
    while let current = node {
      current.subscriptionCount += count
      current.earlyCount += early
      node = current.isCounted ? current.parent : nil
    }
  }
}
