public import Dispatch

/// A reference to an audience, which it retains only as long as the audience has an owner.
///
/// - The mailbox's lock guards the reference, so that a single locking both checks it and appends an entry.
@usableFromInline
package class Address: @unchecked Sendable {  // The mailbox's lock guards its variables.
  @usableFromInline package final let tree: Tree

  /// The audience; nil after it has lost its owner.
  private(set) final var target: AnyObject?

  /// The audience, unretained. It outlives every callback that begins while the address is open.
  @usableFromInline
  @exclusivity(unchecked)
  private(set) final var unownedTarget: Unmanaged<AnyObject>!

  /// The registered subscriptions, by observer and scope. Unretained: the audience's lists retain them for longer.
  private final var subscriptions: Set<ObserverSubscription.Member> = []

  @usableFromInline final let isClosed = AtomicFlag(false)

  init(on tree: Tree, quality: Quality = .unspecified) {
    self.tree = tree
    self.quality = quality
  }

  /// The identity of the node; nil without a listener, and for an audience that isn't a node.
  @usableFromInline var identity: NodeIdentity? { nil }

  /// The minimum quality of service of entries at this address.
  final let quality: Quality

  /// Reports on standard error, in debug builds and once per store, that a store is used after its owner was released.
  @usableFromInline
  func reportUseAfterRelease(by store: Identity, of state: Any.Type) {}

  /// Sets the audience. Called once, before the address is shared.
  @usableFromInline
  final func open(to target: AnyObject) {
    self.target = target
    unownedTarget = .passUnretained(target)
  }

  /// `true` while the audience has an owner. May be read from any thread, without the lock.
  @inlinable
  package final var isOpen: Bool { !isClosed.load() }

  /// The audience, if it has an owner and the calling thread is running its tree's work.
  final var targetInside: AnyObject? {
    tree.isInside ? tree.target(of: self) : nil
  }

  /// Releases the audience for good. Called under the lock.
  final func close() {
    target = nil
    subscriptions = []
    isClosed.store(true)
  }

  // MARK: Subscriptions

  /// Subscribes an observer, which receives the current state when its turn comes.
  ///
  /// - Parameters:
  ///   - store: The identity of the store that it subscribes to, which distinguishes subscriptions of one observer; nil
  ///     for an observer that can't be subscribed twice.
  ///   - entry: The kind of the entry.
  ///   - read: Reads the current state; called with the audience.
  /// - Returns: The connection; nil if the audience has lost its owner.
  @inlinable
  final func subscribe<State: Sendable>(
    _ observer: Observer<State>,
    store: Identity?,
    by entry: WaitingEntry.Kind = .subscription,
    _ read: @escaping @Sendable (AnyObject?) -> State?
  ) -> Connection? {
    let subscription = StateSubscription(observer, store: store, address: self)
    let isAccepted = tree.append(at: self, entry) { target in
      Audience.of(target).deliverInitialState(subscription) { read(target) }
    }
    return isAccepted ? Connection(subscription, subscription.control) : nil
  }

  /// Registers a subscription, unless its observer is already subscribed. Called under the lock.
  ///
  /// - Returns: The registered subscription of the observer.
  final func register(_ subscription: ObserverSubscription) -> ObserverSubscription {
    guard !subscription.needsNoRegistration else { return subscription }
    let (isInserted, member) = subscriptions.insert(ObserverSubscription.Member(of: subscription))
    if isInserted { subscription.isRegistered = true }
    return member.subscription.takeUnretainedValue()
  }

  /// Removes an ended subscription from the registered ones. Called under the lock.
  final func unregister(_ subscription: ObserverSubscription) {
    // A newer subscription of the same observer may be registered instead.
    guard subscription.isRegistered else { return }
    subscriptions.remove(ObserverSubscription.Member(of: subscription))
  }

  /// Ends a subscription. May be called from any thread, any number of times.
  final func end(_ subscription: ObserverSubscription) {
    if tree.endFromOutside(subscription, at: self) { releaseUnlinked(subscription) }
  }

  /// Releases a subscription that was ended from outside and unlinked.
  final func releaseUnlinked(_ subscription: ObserverSubscription) {
    if let identity, subscription.wasLinked {
      // Observers that end with their store have no events of their own: the store's event covers them.
      tree.post(.observerGone(in: identity)) { self.isOpen }
    }
    subscription.releaseLater()
  }

  /// Retains an object for as long as a subscription lasts.
  final func keep(_ object: any AnyObject & Sendable, for subscription: ObserverSubscription) {
    tree.updateLinks(at: self) { _ in
      if !subscription.isEnded { subscription.kept = object }
    } afterwards: {
      // If the subscription has ended, this may be the last owner.
      Tree.releaseLater(object)
    }
  }

  /// Runs a body on the queue with the audience, after everything accepted before the call; see
  /// ``Tree/wait(at:for:_:)``.
  ///
  /// - Returns: `true` if the audience had an owner; otherwise the body was not called.
  @inlinable
  package final func wait(for call: StaticString = "state", _ body: (AnyObject) -> Void) -> Bool {
    tree.wait(at: self, for: call, body)
  }
}

/// The address of a node. Stores retain the address, and so keep no state alive.
@usableFromInline
package final class NodeAddress: Address, @unchecked Sendable {
  // Like its superclass; the owner is set before it is shared.

  /// The node as the host of its features' objects.
  @usableFromInline package let host: AttachmentHost

  /// The ``Owner`` that the node's store objects share; nil after the last of them was released.
  @usableFromInline
  weak var owner: Owner?

  /// The handler of the actions that are sent here. The node keeps it alive.
  @usableFromInline
  @exclusivity(unchecked)
  private(set) var handler: Unmanaged<Handler>!

  #if DEBUG
    /// The reports that were made: each store that was used after its release, and nil after a token was released
    /// undecided.
    private let reported = Protected<Set<Identity?>>([])
  #endif

  @usableFromInline
  init(on tree: Tree, quality: DispatchQoS, identity: NodeIdentity? = nil) {
    host = AttachmentHost(on: tree, identity: identity)
    super.init(on: tree, quality: Quality(quality))
  }

  /// Makes an address that is closed from the start and never has a node.
  @usableFromInline
  convenience init(closedOn tree: Tree) {
    self.init(on: tree, quality: .unspecified)
    // Never runs: a closed address doesn't accept entries.
    handler = .passUnretained(QueuedWork.handler)
    host.attachments.close()
    close()
  }

  @usableFromInline package override var identity: NodeIdentity? { host.identity }

  /// Sets the node and its handler. Called once, before the address is shared.
  @usableFromInline
  func open(to node: Node, _ handler: Handler) {
    open(to: node)
    self.handler = Unmanaged.passUnretained(handler)
  }

  /// Appends an action with its stamp to the mailbox.
  ///
  /// - Returns: `true` if it was accepted.
  @inlinable @inline(__always)
  func send<Action, Stamp>(_ action: Action, _ stamp: Stamp) -> Bool {
    tree.append(at: self, handler) { payload in Handler.write(action, stamp, at: payload) }
  }

  @usableFromInline
  override func reportUseAfterRelease(by store: Identity, of state: Any.Type) {
    #if DEBUG
      guard reported.withLock({ $0.insert(store).inserted }) else { return }
      Platform.writeToStandardError(
        """
        Arbor: a Store was used after its owner was released, so the call did nothing. Keep the StoreFactory, and the \
        StoreObject of a child store, for as long as you use their stores. \
        (\(tree.rootName?.text(ofStoreOf: state) ?? "a store of \(state)"))
        """
      )
    #endif
  }

  /// Reports once per node, in debug builds, that the token of an action was released undecided.
  func reportUndecidedToken(of actionType: any Any.Type) {
    #if DEBUG
      guard reported.withLock({ $0.insert(nil).inserted }) else { return }
      let store = identity?.text ?? tree.rootName?.text
      Misuse.releasingUndecidedToken.report(about: "\(actionType)" + (store.map { " in \($0)" } ?? ""))
    #endif
  }
}

/// The owner of a node: when it is released, the node's address is closed and the node leaves its tree.
///
/// - It retains its parent's owner, so that a child object keeps all its ancestors alive.
@usableFromInline
package final class Owner: Sendable {
  private let address: NodeAddress
  private let parent: Owner?

  @usableFromInline
  init(of address: NodeAddress, parent: Owner?) {
    self.address = address
    self.parent = parent
    address.owner = self
  }

  deinit {
    if let node = address.targetInside { Node.of(node).stopCountingSubscriptions() }
    address.host.attachments.close()
    address.tree.executor.mayInterrupt(address.tree)
    address.tree.close(address)
    if let identity = address.identity { address.tree.post(.nodeGone(identity)) }
    if parent == nil { address.tree.openGateForGood() }
  }
}
