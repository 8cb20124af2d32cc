public import Dispatch
public import Synchronization

/// Where a node is reached for as long as it has an owner; stores keep the door, and thus no state, alive.
///
/// The resident is guarded by the mailbox's lock, so that one locking both checks that it is there and appends.
@usableFromInline
final class Door: @unchecked Sendable {  // The mailbox's lock guards what varies; the owner is set before it is shared.
  /// The node, until the door is closed.
  private(set) var resident: AnyObject?

  /// The same, not retained; it outlives every callback that begins while the door is open.
  @exclusivity(unchecked)
  private(set) var lastResident: Unmanaged<AnyObject>!

  /// The subscriptions here whose turn has come and that have not ended. Not retained: their lists keep them for longer than
  /// they are here.
  private var subscriptions: Set<Subscription.Member> = []

  /// The token that the owners share; nil once the last of them has let go.
  @usableFromInline
  weak var owner: AnyObject?

  /// What runs the actions and the batches that are sent here. The resident keeps both alive.
  @usableFromInline
  @exclusivity(unchecked)
  private(set) var actions: Unmanaged<Handler>!

  @usableFromInline
  @exclusivity(unchecked)
  private(set) var batches: Unmanaged<Handler>!

  /// What runs the actions that are sent here by tasks.
  @usableFromInline
  @exclusivity(unchecked)
  private(set) var sentActions: Unmanaged<Handler>!

  /// The least quality of service for what is sent here.
  let quality: Quality

  /// The tasks of the node and of its scopes.
  @usableFromInline let tasks: TaskTable

  /// Those who listen for activities at the node.
  let activities = ActivityChannels()

  /// What monitors know the node by; nil if there are none.
  @usableFromInline let monitored: MonitoredStore?

  @usableFromInline let isClosed = Atomic(false)

  #if DEBUG
    /// The stores that have complained.
    private let complained = Protected<Set<Identity>>([])
  #endif

  @usableFromInline
  init(quality: DispatchQoS, on mailbox: Mailbox, monitored: MonitoredStore?) {
    self.quality = Quality(quality)
    self.monitored = monitored
    tasks = TaskTable(on: mailbox, monitored: monitored)
  }

  /// Lets the resident in. Once, before anyone else knows the door.
  @usableFromInline
  func open(to resident: AnyObject, actions: Handler, batches: Handler, sentActions: Handler) {
    self.resident = resident
    lastResident = .passUnretained(resident)
    self.actions = Unmanaged.passUnretained(actions)
    self.batches = Unmanaged.passUnretained(batches)
    self.sentActions = Unmanaged.passUnretained(sentActions)
  }

  /// Whether the resident has an owner. From any thread, without the lock.
  @inlinable
  var isOpen: Bool { !isClosed.load(ordering: .acquiring) }

  /// Under the lock: the resident moves out.
  func close() {
    resident = nil
    subscriptions = []
    isClosed.store(true, ordering: .releasing)
  }

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
