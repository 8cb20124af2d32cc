/// A token that keeps an observation alive: releasing or canceling the token ends the observation.
///
/// ```swift
/// let subscription = StoreSubscription { print("The observation has ended.") }
/// subscription.cancel()
/// ```
///
/// - You can call every method from any thread, any number of times, even inside the observation's own callback.
/// - If you cancel it on the queue where its callback is called, no call follows. If you cancel it elsewhere, at most
///   one call follows: one that was already about to begin. The callback is released after its last call.
/// - It doesn't keep a state or node of a store alive. It does keep a derived value alive.
public final class StoreSubscription: Sendable {
  private enum Phase: Int {
    case owned
    case stored
    case cancelled
  }

  /// The connection to the source; nil if a closure is called instead.
  private let connection: Connection?
  private let phase = AtomicNumber(Phase.owned.rawValue)

  /// The source that is kept alive, or the ``Ending`` to call. It is retained; the first method that needs it takes it
  /// out.
  private let object: AtomicReference<any AnyObject & Sendable>

  /// `true` if the source is a constant. A stored subscription keeps a constant until the observer was called, and any
  /// other source until the observation ends.
  private let isOfConstant: Bool

  /// A closure to call when the subscription ends.
  private final class Ending: Sendable {
    let call: @Sendable () -> Void

    init(_ call: @escaping @Sendable () -> Void) {
      self.call = call
    }
  }

  /// Makes a subscription that calls a closure when it ends.
  ///
  /// - Parameter cancel: Called at most once: when you cancel the subscription, or when you release it without calling
  ///   ``storeWhileSourceActive()``.
  public init(cancel: @escaping @Sendable () -> Void) {
    connection = nil
    isOfConstant = false
    object = AtomicReference(Unmanaged.passRetained(Ending(cancel)))
  }

  /// Makes a subscription that ends a connection.
  ///
  /// - Parameters:
  ///   - connection: The connection; nil if the source refused it.
  ///   - source: The object that the subscription keeps alive.
  ///   - isOfConstant: `true` if nothing ends the source, so that a stored subscription must not keep it for long.
  @usableFromInline
  package init(to connection: Connection?, keeping source: (any AnyObject & Sendable)?, isOfConstant: Bool) {
    self.connection = connection ?? Connection(nil, nil)
    self.isOfConstant = isOfConstant
    object = AtomicReference(source.map { Unmanaged.passRetained($0) })
  }

  /// Ends the observation, even after ``storeWhileSourceActive()``.
  public func cancel() {
    guard phase.exchange(Phase.cancelled.rawValue) != Phase.cancelled.rawValue else { return }
    let object = takeObject()
    connection?.end()
    if let ending = object as? Ending { ending.call() }
  }

  /// Keeps the observation alive as long as its source lives.
  ///
  /// - Releasing the subscription no longer ends the observation, but ``cancel()`` still does.
  public func storeWhileSourceActive() {
    guard phase.compareExchange(expected: Phase.owned.rawValue, desired: Phase.stored.rawValue).exchanged else {
      return
    }
    guard let connection, let source = takeObject() else { return }
    // If the observation has ended, the source is released here.
    guard let subscription = connection.subscription else { return }
    let address = subscription.address
    if isOfConstant {
      address.tree.afterAccepted { withExtendedLifetime(source) {} }
    } else {
      address.keep(source, for: subscription)
    }
  }

  private func takeObject() -> (any AnyObject & Sendable)? {
    object.exchange(nil)?.takeRetainedValue()
  }

  /// Inserts the subscription into a set, which then keeps it.
  ///
  /// - Parameter set: The set, which may already contain it.
  public func store(in set: inout Set<StoreSubscription>) {
    set.insert(self)
  }

  /// Appends the subscription to a collection, which then keeps it.
  ///
  /// - Parameter collection: The collection that the subscription is appended to.
  public func store(in collection: inout some RangeReplaceableCollection<StoreSubscription>) {
    collection.append(self)
  }

  deinit {
    // A stored subscription has another phase, and its observation goes on.
    if phase.load() == Phase.owned.rawValue { cancel() }
    _ = takeObject()
  }
}

extension StoreSubscription: Hashable {
  /// Returns `true` if both are the same object.
  public static func == (left: StoreSubscription, right: StoreSubscription) -> Bool {
    left === right
  }

  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
