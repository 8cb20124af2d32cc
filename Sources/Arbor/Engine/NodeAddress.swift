public import Dispatch
public import Synchronization

/// Where an audience is reached for as long as it has an owner.
///
/// The resident is guarded by the mailbox's lock, so that one locking both checks that it is there and appends.
@usableFromInline
class Address: @unchecked Sendable {  // The mailbox's lock guards what varies.
  @usableFromInline final let tree: Tree

  /// The audience, until it has no owner any more.
  private(set) final var target: AnyObject?

  /// The same, not retained; it outlives every callback that begins while the address is open.
  @exclusivity(unchecked)
  private(set) final var unownedTarget: Unmanaged<AnyObject>!

  /// The subscriptions here whose turn has come and that have not ended. Not retained: their lists keep them for longer than
  /// they are here.
  private final var subscriptions: Set<Subscription.Member> = []

  @usableFromInline final let isClosed = Atomic(false)

  init(on tree: Tree, quality: Quality = .unspecified) {
    self.tree = tree
    self.quality = quality
  }

  /// The identity of a node here for monitors; nil if there is none, or no monitor.
  @usableFromInline var monitored: MonitoredStore? { nil }

  /// The least quality of service for what is sent here.
  final let quality: Quality

  /// Says once a store, in debug builds, that it is used although its owner is gone.
  @usableFromInline
  func reportUseAfterRelease(by store: Identity) {}

  /// Lets the resident in. Once, before anyone else knows the address.
  @usableFromInline
  final func open(to target: AnyObject) {
    self.target = target
    unownedTarget = .passUnretained(target)
  }

  /// `true` if the resident has an owner. From any thread, without the lock.
  @inlinable
  final var isOpen: Bool { !isClosed.load(ordering: .acquiring) }

  /// The resident, if it has an owner and the calling thread runs its tree's work.
  final var targetInside: AnyObject? {
    tree.isInside ? tree.target(of: self) : nil
  }

  /// Under the lock: the resident moves out.
  final func close() {
    target = nil
    subscriptions = []
    isClosed.store(true, ordering: .releasing)
  }

  // MARK: Subscriptions

  /// Subscribes an observer, which is greeted in its turn.
  ///
  /// - Parameters:
  ///   - scope: The identity of the store by which it subscribes, which tells subscriptions of one observer apart; nil if it cannot
  ///     do so twice.
  ///   - read: Finds the current state; called with the resident.
  /// - Returns: The connection; nil if there is no owner any more.
  @inlinable
  final func subscribe<State: Sendable>(
    _ observer: Observer<State>,
    scope: Identity?,
    _ read: @escaping @Sendable (AnyObject?) -> State?
  ) -> Connection? {
    let subscription = StateSubscription(observer, scope: scope, address: self)
    let isAccepted = tree.append(at: self, .subscription) { target in
      unsafeDowncast(target, to: Audience.self).deliverInitialState(subscription) { read(target) }
    }
    return isAccepted ? Connection(subscription) : nil
  }

  /// Under the lock: remembers a subscription, unless its observer is subscribed already.
  ///
  /// - Returns: The subscription of its observer.
  final func register(_ subscription: Subscription) -> Subscription {
    guard !subscription.isUnique else { return subscription }
    let (isInserted, member) = subscriptions.insert(Subscription.Member(of: subscription))
    if isInserted { subscription.isRegistered = true }
    return member.subscription.takeUnretainedValue()
  }

  /// Under the lock: forgets a subscription, which has ended.
  final func unregister(_ subscription: Subscription) {
    // Another one of the same observer may be here in its place.
    guard subscription.isRegistered else { return }
    subscriptions.remove(Subscription.Member(of: subscription))
  }

  /// Ends a subscription; from any thread, any number of times.
  final func end(_ subscription: Subscription) {
    if tree.endFromOutside(subscription, at: self) { releaseUnlinked(subscription) }
  }

  /// Lets a subscription go that has ended and was taken out.
  final func releaseUnlinked(_ subscription: Subscription) {
    if let monitored, subscription.wasLinked {
      // Once the store is gone its observers are gone with it.
      tree.post(.observerGone(in: monitored)) { self.isOpen }
    }
    subscription.releaseLater()
  }

  /// Keeps an object for as long as a subscription lasts.
  final func keep(_ object: any AnyObject & Sendable, for subscription: Subscription) {
    tree.updateLinks(at: self) { _ in
      if !subscription.isEnded { subscription.kept = object }
    } afterwards: {
      // If it is too late, this may be the last who holds it.
      Tree.releaseLater(object)
    }
  }

  /// Runs a body on the queue with the resident, behind everything accepted before the call; see ``Tree/wait(at:for:_:)``.
  ///
  /// - Returns: Whether there was an owner; the body is not called if not.
  @inlinable
  final func wait(for call: StaticString = "state", _ body: (AnyObject) -> Void) -> Bool {
    tree.wait(at: self, for: call, body)
  }
}

/// Where a node is reached for as long as it has an owner; stores keep the address, and thus no state, alive.
@usableFromInline
final class NodeAddress: Address, @unchecked Sendable {  // As its superclass; the owner is set before it is shared.
  /// The place on which the features of the node hang.
  @usableFromInline let host: AttachmentHost

  /// The token that the owners share; nil once the last of them has let go.
  @usableFromInline
  weak var owner: AnyObject?

  /// The handler of the actions that are sent here. The resident keeps it alive.
  @usableFromInline
  @exclusivity(unchecked)
  private(set) var handler: Unmanaged<Handler>!

  #if DEBUG
    /// The stores that have complained.
    private let reportedStores = Protected<Set<Identity>>([])
  #endif

  @usableFromInline
  init(on tree: Tree, quality: DispatchQoS, monitored: MonitoredStore? = nil) {
    host = AttachmentHost(on: tree, monitored: monitored)
    super.init(on: tree, quality: Quality(quality))
  }

  @usableFromInline override var monitored: MonitoredStore? { host.monitored }

  /// Lets a node in. Once, before anyone else knows the address.
  @usableFromInline
  func open(to node: Node, _ handler: Handler) {
    open(to: node)
    self.handler = Unmanaged.passUnretained(handler)
  }

  /// Sends an action with its stamp.
  ///
  /// - Returns: Whether it was accepted.
  @inlinable @inline(__always)
  func send<Action, Stamp>(_ action: Action, _ stamp: Stamp) -> Bool {
    tree.append(at: self, handler) { place in Handler.write(action, stamp, at: place) }
  }

  @usableFromInline
  override func reportUseAfterRelease(by store: Identity) {
    #if DEBUG
      guard reportedStores.withLock({ $0.insert(store).inserted }) else { return }
      Platform.writeToStandardError(
        """
        Arbor: a Store was used after its owner was released, so the call did nothing. Keep the StoreFactory, and the \
        StoreObject of a child store, for as long as their stores are used.
        """
      )
    #endif
  }
}

/// The token that the owners of a node share: when the last of them lets go, the node leaves its tree.
///
/// - An owner keeps its ancestors' owners, so that a child object keeps its whole tree alive.
@usableFromInline
final class Owner: Sendable {
  private let address: NodeAddress
  private let parent: Owner?

  @usableFromInline
  init(of address: NodeAddress, parent: AnyObject?) {
    self.address = address
    self.parent = parent.map { unsafeDowncast($0, to: Owner.self) }
    address.owner = self
  }

  deinit {
    if let node = address.targetInside { unsafeDowncast(node, to: Node.self).stopCounting() }
    address.host.attachments.close()
    address.tree.close(address)
    if let store = address.monitored { address.tree.post(.storeGone(store)) }
  }
}
