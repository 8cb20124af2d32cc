public import Dispatch
public import Synchronization

/// Where a node is reached for as long as it has an owner; stores keep the door, and thus no state, alive.
///
/// The resident is guarded by the mailbox's lock, so that one locking both checks that it is there and appends.
@usableFromInline
final class Door: @unchecked Sendable {  // The mailbox's lock guards what varies; the owner is set before it is shared.
  /// The node, until the door is closed.
  private(set) var resident: AnyObject?

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

  /// The least quality of service for what is sent here.
  let quality: Quality

  @usableFromInline let isClosed = Atomic(false)
  private let complained = Atomic(false)

  @usableFromInline
  init(quality: DispatchQoS) {
    self.quality = Quality(quality)
  }

  /// Lets the resident in. Once, before anyone else knows the door.
  @usableFromInline
  func open(to resident: AnyObject, actions: Handler, batches: Handler) {
    self.resident = resident
    self.actions = Unmanaged.passUnretained(actions)
    self.batches = Unmanaged.passUnretained(batches)
  }

  /// Whether the resident has an owner. From any thread, without the lock.
  @inlinable
  var isOpen: Bool { !isClosed.load(ordering: .acquiring) }

  /// Under the lock: the resident moves out.
  func close() {
    resident = nil
    isClosed.store(true, ordering: .releasing)
  }

  /// Says once, in debug builds, that a store is used whose owner is gone.
  @usableFromInline
  func complain() {
    #if DEBUG
      guard !complained.exchange(true, ordering: .relaxed) else { return }
      Platform.writeToStandardError(
        """
        Arbor: a Store was used after its owner was released, so the call did nothing. Keep the StoreFactory, and the \
        StoreObject of a child store, for as long as their stores are used.
        """
      )
    #endif
  }
}
