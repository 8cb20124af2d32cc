public import Dispatch
public import Synchronization

/// Where a node is reached for as long as it has an owner; stores keep the address, and thus no state, alive.
///
/// The resident is guarded by the mailbox's lock, so that one locking both checks that it is there and appends.
@usableFromInline
final class NodeAddress: @unchecked Sendable {
  // Sendable because the mailbox's lock guards what varies; the owner is set before the address is shared.

  @usableFromInline let mailbox: Mailbox

  /// The place on which the features of the node hang.
  @usableFromInline let place: Place

  /// The node, until it has no owner any more.
  private(set) var resident: AnyObject?

  /// The same, not retained; it outlives every callback that begins while the address is open.
  @exclusivity(unchecked)
  private(set) var lastResident: Unmanaged<AnyObject>!

  /// The subscriptions here whose turn has come and that have not ended. Not retained: their lists keep them for longer than
  /// they are here.
  private var subscriptions: Set<Subscription.Member> = []

  /// The token that the owners share; nil once the last of them has let go.
  @usableFromInline
  weak var owner: AnyObject?

  /// The handlers of the actions and the batches that are sent here. The resident keeps both alive.
  @usableFromInline
  @exclusivity(unchecked)
  private(set) var actions: Unmanaged<Handler>!

  @usableFromInline
  @exclusivity(unchecked)
  private(set) var batches: Unmanaged<Handler>!

  /// The handler of the actions that tasks send here.
  @usableFromInline
  @exclusivity(unchecked)
  private(set) var revocableActions: Unmanaged<Handler>!

  /// The least quality of service for what is sent here.
  let quality: Quality

  @usableFromInline let isClosed = Atomic(false)

  #if DEBUG
    /// The stores that have complained.
    private let complained = Protected<Set<Identity>>([])
  #endif

  @usableFromInline
  init(on mailbox: Mailbox, quality: DispatchQoS, monitored: MonitoredStore? = nil) {
    self.mailbox = mailbox
    self.quality = Quality(quality)
    place = Place(on: mailbox, monitored: monitored)
  }

  /// The node's identity for monitors; nil if there are none.
  @usableFromInline var monitored: MonitoredStore? { place.monitored }

  /// Lets the resident in. Once, before anyone else knows the address.
  @usableFromInline
  func open(to resident: AnyObject, actions: Handler, batches: Handler, revocableActions: Handler) {
    self.resident = resident
    lastResident = .passUnretained(resident)
    self.actions = Unmanaged.passUnretained(actions)
    self.batches = Unmanaged.passUnretained(batches)
    self.revocableActions = Unmanaged.passUnretained(revocableActions)
  }

  /// `true` if the resident has an owner. From any thread, without the lock.
  @inlinable
  var isOpen: Bool { !isClosed.load(ordering: .acquiring) }

  /// The node, if it has an owner and the calling thread runs its tree's work.
  var residentInside: AnyObject? {
    mailbox.isInside ? mailbox.resident(of: self) : nil
  }

  /// Under the lock: the resident moves out.
  func close() {
    resident = nil
    subscriptions = []
    isClosed.store(true, ordering: .releasing)
  }

  // MARK: Subscriptions

  /// Under the lock: remembers a subscription, unless its observer is subscribed already.
  ///
  /// - Returns: The subscription of its observer.
  func enter(_ subscription: Subscription) -> Subscription {
    let (isInserted, member) = subscriptions.insert(Subscription.Member(of: subscription))
    if isInserted { subscription.isEntered = true }
    return member.subscription.takeUnretainedValue()
  }

  /// Under the lock: forgets a subscription, which has ended.
  func leave(_ subscription: Subscription) {
    // Another one of the same observer may be here in its place.
    guard subscription.isEntered else { return }
    subscriptions.remove(Subscription.Member(of: subscription))
  }

  /// Ends a subscription of the node; from any thread, any number of times.
  func end(_ subscription: Subscription) {
    guard mailbox.end(subscription, at: self) else { return }
    if let node = residentInside { unsafeDowncast(node, to: Node.self).discount(subscription) }
    mailbox.rearrange(at: self) { node in
      unsafeDowncast(node, to: Node.self).unlink(subscription)
    } afterwards: { [self] in
      if let monitored, subscription.wasLinked {
        // Once the store is gone its observers are gone with it.
        mailbox.post(.observerGone(in: monitored)) { self.isOpen }
      }
      subscription.release()
    }
  }

  /// Keeps an object for as long as a subscription of the node lasts.
  func keep(_ object: any AnyObject & Sendable, for subscription: Subscription) {
    mailbox.rearrange(at: self) { _ in
      if !subscription.isEnded { subscription.kept = object }
    } afterwards: {
      // If it is too late, this may be the last who holds it.
      Mailbox.letGo(of: object)
    }
  }

  // MARK: What is asked and sent

  /// Runs a body on the queue with the node, behind everything accepted before the call; see ``Mailbox/wait(at:for:_:)``.
  ///
  /// - Returns: Whether there was an owner; the body is not called if not.
  @inlinable
  func wait(for call: StaticString = "state", _ body: (AnyObject) -> Void) -> Bool {
    mailbox.wait(at: self, for: call, body)
  }

  /// Sends what a handler of the node's can run.
  ///
  /// - Returns: Whether it was accepted.
  @inlinable @inline(__always)
  func send<Payload, Stamp>(_ payload: Payload, _ stamp: Stamp, to handler: Unmanaged<Handler>) -> Bool {
    mailbox.append(at: self, handler) { place in Handler.write(payload, stamp, at: place) }
  }

  /// Says once a store, in debug builds, that it is used although its owner is gone.
  @usableFromInline
  func complain(about store: Identity) {
    #if DEBUG
      guard complained.withLock({ $0.insert(store).inserted }) else { return }
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
    if let node = address.residentInside { unsafeDowncast(node, to: Node.self).discount() }
    address.place.attachments.close()
    address.mailbox.close(address) { node in unsafeDowncast(node, to: Node.self).detach() }
    if let store = address.monitored { address.mailbox.post(.storeGone(store)) }
  }
}
