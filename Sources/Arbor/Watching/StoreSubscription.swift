internal import Synchronization

/// Keeps an observation going: released or cancelled, it ends.
///
/// - Every method may be called from any thread, also inside the observation's own callback, any number of times.
/// - Cancelled where its callback is delivered, no call follows; elsewhere, at most the one that was already chosen. The
///   callback is released once that call has ended.
/// - It keeps the source's place in the tree reachable, but no state alive.
public final class StoreSubscription: Sendable {
  private enum Phase: UInt8, AtomicRepresentable {
    case held
    case stored
    case cancelled
  }

  private let connection: Connection
  private let phase = Atomic(Phase.held)

  /// The source that is kept alive, or the ``Ending`` to be called; retained, and taken out by whoever needs it first.
  private let object: Atomic<Unmanaged<any AnyObject & Sendable>?>

  /// `true` if the source may be kept for as long as its own source lives; else it is until the subscriber was given a state.
  private let isKeptForGood: Bool

  /// What is called in the end.
  private final class Ending: Sendable {
    let call: @Sendable () -> Void

    init(_ call: @escaping @Sendable () -> Void) {
      self.call = call
    }
  }

  /// Makes a subscription by hand.
  ///
  /// - Parameter cancel: Called once: when the subscription is cancelled, or released and not stored.
  public convenience init(cancel: @escaping @Sendable () -> Void) {
    self.init(to: nil, keeping: Ending(cancel), isKeptForGood: true)
  }

  /// - Parameter source: Is kept alive.
  @usableFromInline
  init(to connection: Connection?, keeping source: (any AnyObject & Sendable)?, isKeptForGood: Bool) {
    self.connection = connection ?? Connection(nil)
    self.isKeptForGood = isKeptForGood
    object = Atomic(source.map { Unmanaged.passRetained($0) })
  }

  /// Ends the observation, also one that was to go on for as long as its source lives.
  public func cancel() {
    guard phase.exchange(.cancelled, ordering: .acquiringAndReleasing) != .cancelled else { return }
    let object = takeObject()
    connection.end()
    if let ending = object as? Ending { ending.call() }
  }

  /// Lets the observation go on for as long as its source lives; releasing the subscription does not end it any more.
  public func storeWhileSourceActive() {
    guard phase.compareExchange(expected: .held, desired: .stored, ordering: .acquiringAndReleasing).exchanged else {
      return
    }
    guard let subscription = connection.subscription, let source = takeObject() else { return }
    let address = subscription.address
    if isKeptForGood {
      address.keep(source, for: subscription)
    } else {
      address.tree.afterAccepted { withExtendedLifetime(source) {} }
    }
  }

  private func takeObject() -> (any AnyObject & Sendable)? {
    object.exchange(nil, ordering: .acquiringAndReleasing)?.takeRetainedValue()
  }

  /// Puts the subscription into a set, which keeps it.
  public func store(in set: inout Set<StoreSubscription>) {
    set.insert(self)
  }

  /// Puts the subscription at the end of a collection, which keeps it.
  public func store(in collection: inout some RangeReplaceableCollection<StoreSubscription>) {
    collection.append(self)
  }

  deinit {
    // One that is to go on has been told so.
    if phase.load(ordering: .acquiring) == .held { cancel() }
    _ = takeObject()
  }
}

extension StoreSubscription: Hashable {
  /// `true` if both are the same object.
  public static func == (left: StoreSubscription, right: StoreSubscription) -> Bool {
    left === right
  }

  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
