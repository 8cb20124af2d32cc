/// Subscriptions in the order in which they were made; adding, and taking out any of them, is O(1).
///
/// The links are bare pointers and each member is retained once by hand, so that walking the list costs no reference
/// counting and a list of any length is freed without recursion.
@usableFromInline
struct SubscriptionList {
  @usableFromInline private(set) var first: Unmanaged<Subscription>?
  private var last: Unmanaged<Subscription>?

  mutating func append(_ subscription: Subscription) {
    let added = Unmanaged.passRetained(subscription)
    subscription.previous = last
    if let last {
      last._withUnsafeGuaranteedRef { $0.next = added }
    } else {
      first = added
    }
    last = added
  }

  /// Takes a member out and hands the list's reference over, so that nothing of a user is released here.
  mutating func remove(_ subscription: Subscription) -> Subscription {
    let (previous, next) = (subscription.previous, subscription.next)
    if let previous {
      previous._withUnsafeGuaranteedRef { $0.next = next }
    } else {
      first = next
    }
    if let next {
      next._withUnsafeGuaranteedRef { $0.previous = previous }
    } else {
      last = previous
    }
    subscription.previous = nil
    subscription.next = nil
    return Unmanaged.passUnretained(subscription).takeRetainedValue()
  }

  /// Frees all members, and lets the observers go. Nothing uses the list afterwards.
  func free() {
    var next = first
    while let current = next?.takeRetainedValue() {
      next = current.next
      _ = current.takeClosure()
    }
  }
}
