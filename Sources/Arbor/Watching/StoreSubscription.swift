/// Keeps an observation going: released or cancelled, it ends.
///
/// - Every method may be called from any thread, also inside the observation's own callback, any number of times.
/// - Cancelled where its callback is delivered, no call follows; elsewhere, at most the one that was already chosen. The
///   callback is released once that call has ended.
/// - It keeps the source's place in the tree reachable, but no state alive.
public final class StoreSubscription: Sendable {
  private struct Actions: Sendable {
    var cancel: @Sendable () -> Void
    var keep: @Sendable () -> Void
  }

  private let actions: Protected<Actions?>

  /// Makes a subscription by hand.
  ///
  /// - Parameter cancel: Called once: when the subscription is cancelled or released.
  public convenience init(cancel: @escaping @Sendable () -> Void) {
    self.init(cancel: cancel, keep: {})
  }

  /// - Parameter keep: Called once, in place of `cancel`, if the observation is to last as long as its source.
  init(cancel: @escaping @Sendable () -> Void, keep: @escaping @Sendable () -> Void) {
    actions = Protected(Actions(cancel: cancel, keep: keep))
  }

  /// Ends the observation.
  public func cancel() {
    take()?.cancel()
  }

  /// Lets the observation go on for as long as its source lives; releasing the subscription does not end it any more.
  public func storeWhileSourceActive() {
    take()?.keep()
  }

  /// Puts the subscription into a set, which keeps it.
  public func store(in set: inout Set<StoreSubscription>) {
    set.insert(self)
  }

  /// Puts the subscription at the end of a collection, which keeps it.
  public func store(in collection: inout some RangeReplaceableCollection<StoreSubscription>) {
    collection.append(self)
  }

  private func take() -> Actions? {
    actions.withLock { actions in
      defer { actions = nil }
      return actions
    }
  }

  deinit {
    cancel()
  }
}

extension StoreSubscription: Hashable {
  /// Whether both are the same object.
  public static func == (left: StoreSubscription, right: StoreSubscription) -> Bool {
    left === right
  }

  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
