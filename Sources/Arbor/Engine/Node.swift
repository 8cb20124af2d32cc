/// A place in the tree: who listens there, and what hangs below it. What depends on its types is in ``StateNode``.
///
/// Lists change between two rounds of notification only, or as an observer leaves in its own call; counts at any time.
@usableFromInline
class Node: Audience, @unchecked Sendable {  // As its superclass.
  /// Kept alive: a node needs its ancestors' states and reducers.
  @usableFromInline let parent: Node?

  /// The node that has no parent, above this one or itself. Not retained: the parents do that.
  @usableFromInline
  @exclusivity(unchecked)
  private(set) final var root: Unmanaged<Node>!

  /// The address of the node, as that of its class.
  @inlinable final var nodeAddress: NodeAddress { unsafeDowncast(address, to: NodeAddress.self) }

  /// The node's identity for monitors; nil if there are none.
  @inlinable final var monitored: MonitoredStore? { nodeAddress.host.monitored }

  /// The objects of features that are let go of with the node. On the tree's queue only.
  @usableFromInline final let attachments = Attachments()

  /// This node's own state, for monitors. Set before anyone else knows the node.
  private var ownState: (@Sendable () -> any Sendable)?

  /// Calls the observers of the whole tree, whose root it is called with; nil at all but the root.
  @usableFromInline final let notifyFromRoot: (@Sendable (_ root: Node) -> Void)?

  /// The subscriptions that feed derived values.
  @usableFromInline
  @exclusivity(unchecked)
  private(set) final var derivedSubscriptions = SubscriptionList()

  @usableFromInline
  @exclusivity(unchecked)
  private(set) final var children = SubscriptionList()

  /// This node's own place among its parent's children.
  private var parentSubscription: Subscription?

  /// The number of observers and followers here and below.
  @usableFromInline
  @exclusivity(unchecked)
  private(set) final var listeners: Int32 = 0

  /// The number of followers here and below.
  @usableFromInline
  @exclusivity(unchecked)
  private(set) final var derivedListeners: Int32 = 0

  /// `true` if the parent counts those who listen here among its own.
  private var isCounted = true

  @usableFromInline
  init(at address: NodeAddress, parent: Node?, notifyFromRoot: (@Sendable (_ root: Node) -> Void)?) {
    self.parent = parent
    self.notifyFromRoot = notifyFromRoot
    super.init(at: address)
    root = parent?.root ?? .passUnretained(self)
  }

  deinit {
    // First, as they began: the superclass would free them last.
    freeObservers()
    derivedSubscriptions.free()
    children.free()
  }

  /// Makes this node known to the monitors, if there are any. Once, before anyone else knows it.
  @usableFromInline
  final func registerWithMonitors(_ ownState: @escaping @Sendable () -> any Sendable) {
    guard let monitored else { return }
    self.ownState = ownState
    tree.post(.storeMade(monitored))
  }

  /// The own states of this node and of each ancestor, the root's last.
  @usableFromInline
  final func ownStates() -> [any Sendable] {
    guard let ownState else { return [] }
    return [ownState()] + (parent?.ownStates() ?? [])
  }

  /// Forgets the state that was composed in this step.
  func forgetComposedState() {}

  /// Brings the derived values of the tree up to date, of which this node is the root, if they are not yet: in a callback between
  /// the reducers and the observers.
  @usableFromInline
  func updateDerivedValuesIfNeeded() {}

  /// Adds the subscription of an observer or a follower at the end.
  @usableFromInline
  override func link(_ subscription: Subscription) {
    if subscription.feedsDerivedValue {
      derivedSubscriptions.append(subscription)
      subscription.isLinked = true
      subscription.wasLinked = true
    } else {
      super.link(subscription)
    }
    subscription.isCounted = true
    addListeners(1, derivedSubscriptions: subscription.feedsDerivedValue ? 1 : 0)
    if let monitored { tree.listener?.report(.observerMade(in: monitored)) }
  }

  @usableFromInline
  @discardableResult
  override func unlink(_ subscription: Subscription) -> Subscription? {
    guard subscription.isLinked else { return nil }
    stopCounting(subscription)
    guard subscription.feedsDerivedValue else { return super.unlink(subscription) }
    subscription.isLinked = false
    return derivedSubscriptions.remove(subscription)
  }

  override func stopCounting(_ subscription: Subscription) {
    guard subscription.isCounted else { return }
    subscription.isCounted = false
    addListeners(-1, derivedSubscriptions: subscription.feedsDerivedValue ? -1 : 0)
  }

  /// Makes this node the last child of its parent.
  @usableFromInline
  final func join(_ parentSubscription: Subscription) {
    self.parentSubscription = parentSubscription
    parent?.children.append(parentSubscription)
  }

  /// Takes this node out of its parent. Once, when its address was closed.
  ///
  /// - Keeps the membership, whose closures hold what is a user's: they go with the node, when no lock is held.
  override func cutLinks() {
    stopCounting()
    if let parentSubscription { _ = parent?.children.remove(parentSubscription) }
  }

  /// They go with the node, which nothing holds by then.
  override func releaseObservers() {}

  /// Does not count those who listen here any more, neither here nor above.
  final func stopCounting() {
    guard isCounted else { return }
    addListeners(-listeners, derivedSubscriptions: -derivedListeners)
    isCounted = false
  }

  private func addListeners(_ count: Int32, derivedSubscriptions: Int32) {
    var node: Node? = self
    while let current = node {
      current.listeners += count
      current.derivedListeners += derivedSubscriptions
      node = current.isCounted ? current.parent : nil
    }
  }
}
