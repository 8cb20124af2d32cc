/// Those who observe a state: their subscriptions, in the order in which they began.
///
/// - A subscription is greeted in its turn: it gets its place and the current state. It is called with each state that follows, and
///   leaves between two rounds of notification, or in its own call.
/// - A node is an audience, and so are a derived value and a channel of activities.
@usableFromInline
class Audience: @unchecked Sendable {  // Touched on the tree's queue only, or under its lock while it is idle.
  @usableFromInline final let tree: Tree

  /// The address at which observers subscribe. It holds the audience, until it is closed.
  @usableFromInline final let address: Address

  @usableFromInline
  @exclusivity(unchecked)
  final var observers = SubscriptionList()

  @usableFromInline
  init(at address: Address) {
    tree = address.tree
    self.address = address
  }

  deinit {
    freeObservers()
  }

  /// Frees the observers, when nothing uses the audience any more.
  final func freeObservers() {
    observers.free()
    observers = SubscriptionList()
  }

  // MARK: Places

  /// Adds a subscription at the end.
  @usableFromInline
  func link(_ subscription: Subscription) {
    observers.append(subscription)
    subscription.isLinked = true
    subscription.wasLinked = true
  }

  /// Takes a subscription out, if it is in, and hands the list's reference over.
  @usableFromInline
  @discardableResult
  func unlink(_ subscription: Subscription) -> Subscription? {
    guard subscription.isLinked else { return nil }
    subscription.isLinked = false
    return observers.remove(subscription)
  }

  /// Does not count a subscription among the listeners any more.
  func stopCounting(_ subscription: Subscription) {}

  /// Cuts the links to others, once the address was closed. Under the lock or on the queue.
  func cutLinks() {}

  /// Lets the observers go, once the address was closed and nothing runs any more that may call them.
  ///
  /// - They may hold what holds the audience.
  func releaseObservers() {
    let leaving = observers
    observers = SubscriptionList()
    if leaving.first != nil { Tree.releaseLater(LeavingObservers(list: leaving)) }
  }

  /// Observers that are let go of together.
  private final class LeavingObservers {
    private let list: SubscriptionList

    init(list: SubscriptionList) {
      self.list = list
    }

    deinit {
      list.free()
    }
  }

  // MARK: Calls

  /// Calls the observers, as long as the audience has an owner.
  @inlinable @inline(__always)
  final func notifyObservers<State: Sendable>(_ state: State) {
    var next = observers.first
    while let current = next, address.isOpen { next = call(current, with: state) }
  }

  /// Calls a subscription and returns the one behind it.
  @inlinable @inline(__always)
  final func call<State: Sendable>(
    _ subscription: Unmanaged<Subscription>,
    with state: State
  ) -> Unmanaged<Subscription>? {
    subscription._withUnsafeGuaranteedRef { subscription in
      guard !subscription.isEnded, !subscription.isPaused else { return subscription.next }
      let status = unsafeDowncast(subscription, to: StateSubscription<State>.self).call(state)
      let next = subscription.next
      // It may have been ended from outside meanwhile, also by itself.
      if status == .dead || subscription.isEnded { endInOwnCall(subscription) }
      return next
    }
  }

  /// Takes out an observer's subscription that ended in its own call, and lets the observer go.
  @usableFromInline @inline(never)
  final func endInOwnCall(_ subscription: Subscription) {
    let isEnded = tree.markEnded(subscription, at: address)
    unlink(subscription)?.releaseLater()
    if isEnded, let monitored = address.monitored { tree.listener?.report(.observerGone(in: monitored)) }
  }

  /// Gives an observer the current state, in the turn of its subscription; a new one gets its place first.
  @inlinable
  final func deliverInitialState<State: Sendable>(_ new: Subscription, _ read: () -> State?) {
    guard address.isOpen, let subscription = tree.register(new, at: address) else { return new.releaseLater() }
    if subscription === new { link(new) } else { new.releaseLater() }
    // A monitor may have let the owner go.
    guard address.isOpen else { return }
    guard let state = read() else {
      if subscription.control?.noticeAbsence() == .dead { endInOwnCall(subscription) }
      return
    }
    tree.enter(.observers)
    _ = call(Unmanaged.passUnretained(subscription), with: state)
    tree.derivedUpdates.updateAndNotify(in: tree)
  }
}

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
      _ = current.control?.takeClosure()
    }
  }
}
