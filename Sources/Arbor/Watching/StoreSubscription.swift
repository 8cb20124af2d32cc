/// Keeps an observation going: released or cancelled, it ends.
///
/// - Every method may be called from any thread, also inside the observation's own callback, any number of times.
/// - Cancelled where its callback is delivered, no call follows; elsewhere, at most the one that was already chosen. The
///   callback is released once that call has ended.
/// - It keeps the source's place in the tree reachable, but no state alive.
public final class StoreSubscription: Sendable {
  private struct Content: Sendable {
    /// Nil once it was called.
    var cancel: (@Sendable () -> Void)?

    /// Nil once it was called.
    var keep: (@Sendable () -> Void)?
  }

  private let content: Protected<Content>

  /// Makes a subscription by hand.
  ///
  /// - Parameter cancel: Called once: when the subscription is cancelled, or released and not stored.
  public convenience init(cancel: @escaping @Sendable () -> Void) {
    self.init(cancel: cancel, keep: {})
  }

  /// - Parameter keep: Called once, when the observation is to last as long as its source.
  init(cancel: @escaping @Sendable () -> Void, keep: @escaping @Sendable () -> Void) {
    content = Protected(Content(cancel: cancel, keep: keep))
  }

  /// Ends the observation, also one that was to go on for as long as its source lives.
  public func cancel() {
    let old = content.withLock { content in
      defer { content = Content() }
      return content
    }
    old.cancel?()
  }

  /// Lets the observation go on for as long as its source lives; releasing the subscription does not end it any more.
  public func storeWhileSourceActive() {
    let keep = content.withLock { content in content.keep.take() }
    keep?()
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
    if content.withLock({ $0.keep != nil }) { cancel() }
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
