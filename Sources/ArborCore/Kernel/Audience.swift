/// The observers of a state, in the order they subscribed.
///
/// - A node is an audience. A derived value has one, and so does a channel of activities.
/// - ObserverSubscription.swift describes the life of a subscription.
@usableFromInline
package class Audience: @unchecked Sendable {  // Used on the tree's queue, or under its lock while idle.
  @usableFromInline package final let tree: Tree

  /// The address at which observers subscribe. It retains the audience until the address is closed.
  @usableFromInline package final let address: Address

  @usableFromInline
  @exclusivity(unchecked)
  final var observers = SubscriptionList()

  @usableFromInline
  init(at address: Address) {
    tree = address.tree
    self.address = address
  }

  /// Makes an audience in a tree. It can be observed immediately.
  package convenience init(openIn tree: Tree) {
    self.init(at: Address(on: tree))
    address.open(to: self)
  }

  /// Casts an object to this type without a check.
  ///
  /// - An address of a node never leads to anything else. The type of a node follows from the store that finds it; the
  ///   type of a derived value's audience follows from the `Derived`.
  @inlinable @inline(__always)
  package static func of(_ object: AnyObject) -> Self { unsafeDowncast(object, to: Self.self) }

  deinit {
    freeObservers()
  }

  /// Frees the observers. Nothing uses the audience afterward.
  final func freeObservers() {
    observers.free()
    observers = SubscriptionList()
  }

  // MARK: The list of observers

  /// Adds a subscription at the end.
  @usableFromInline
  func link(_ subscription: ObserverSubscription) {
    observers.append(subscription)
    subscription.isLinked = true
    subscription.wasLinked = true
  }

  /// Removes a subscription from the list, if it is linked, and returns the list's reference.
  @usableFromInline
  @discardableResult
  func unlink(_ subscription: ObserverSubscription) -> ObserverSubscription? {
    guard subscription.isLinked else { return nil }
    subscription.isLinked = false
    return observers.remove(subscription)
  }

  /// Stops counting a subscription among its subscriptions.
  func stopCounting(_ subscription: ObserverSubscription) {}

  /// Cuts the links to sources, after the address was closed. Under the lock or on the queue.
  func cutLinks() {}

  /// Releases the observers, after the address was closed and the last entry that may call them has run.
  ///
  /// - Deferred, because an observer may retain the owner of this very audience.
  func releaseObservers() {
    let leaving = observers
    observers = SubscriptionList()
    if leaving.first != nil { Tree.releaseLater(LeavingObservers(list: leaving)) }
  }

  /// Observers that are released together.
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

  /// Calls the observers in order, as long as the audience has an owner.
  @inlinable @inline(__always)
  package final func notifyObservers<State: Sendable>(_ state: State) {
    var next = observers.first
    while let current = next, address.isOpen { next = call(current, with: state) }
  }

  /// Calls a subscription and returns the next one.
  @inlinable @inline(__always)
  final func call<State: Sendable>(
    _ subscription: Unmanaged<ObserverSubscription>,
    with state: State
  ) -> Unmanaged<ObserverSubscription>? {
    subscription._withUnsafeGuaranteedRef { subscription in
      guard !subscription.isEnded, !subscription.isPaused else { return subscription.next }
      let status = StateSubscription<State>.of(subscription).call(state)
      let next = subscription.next
      // Another thread, or the observer itself, may have ended it during the call.
      if status == .dead || subscription.isEnded { endInOwnCall(subscription) }
      return next
    }
  }

  /// Ends a subscription in its own call: unlinks it at once and releases its observer.
  @usableFromInline @inline(never)
  final func endInOwnCall(_ subscription: ObserverSubscription) {
    let isEnded = tree.markEnded(subscription, at: address)
    unlink(subscription)?.releaseLater()
    if isEnded, let identity = address.identity { tree.listener?.report(.observerGone(in: identity)) }
  }

  /// Links a new subscription when its turn comes, and delivers the current state to it.
  @inlinable
  final func deliverInitialState<State: Sendable>(_ new: ObserverSubscription, _ read: () -> State?) {
    guard address.isOpen, let subscription = tree.register(new, at: address) else { return new.releaseLater() }
    if subscription === new { link(new) } else { new.releaseLater() }
    // A monitor may have released the owner.
    guard address.isOpen else { return }
    guard let state = read() else {
      if subscription.control?.noticeAbsence() == .dead { endInOwnCall(subscription) }
      return
    }
    tree.enter(.observers)
    _ = call(Unmanaged.passUnretained(subscription), with: state)
    tree.actAfterObservers()
  }
}

/// A doubly linked list of subscriptions, in the order they were appended. Appending and removing are O(1).
///
/// The links are unmanaged pointers, and the list retains each member once. So walking the list needs no reference
/// counting, and a list of any length is freed without recursion.
@usableFromInline
struct SubscriptionList {
  @usableFromInline private(set) var first: Unmanaged<ObserverSubscription>?
  private var last: Unmanaged<ObserverSubscription>?

  mutating func append(_ subscription: ObserverSubscription) {
    let added = Unmanaged.passRetained(subscription)
    subscription.previous = last
    if let last {
      last._withUnsafeGuaranteedRef { $0.next = added }
    } else {
      first = added
    }
    last = added
  }

  /// Removes a member and returns the list's reference, so that a user's object isn't released here.
  mutating func remove(_ subscription: ObserverSubscription) -> ObserverSubscription {
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

  /// Frees all members and releases their observers. Nothing uses the list afterward.
  func free() {
    var next = first
    while let current = next?.takeRetainedValue() {
      next = current.next
      _ = current.control?.takeClosure()
    }
  }
}

/// An audience with a current value, which any thread may read while another thread writes it.
package final class ValueAudience<Value: Sendable>: Audience, @unchecked Sendable {  // A lock guards the value.
  private struct Content: Sendable {
    var value: Value

    /// The number of times the value was written.
    var version: UInt64 = 0
  }

  private let content: Protected<Content>

  /// Makes an audience in a tree. It can be observed immediately.
  package init(_ value: Value, on tree: Tree) {
    content = Protected(Content(value: value))
    super.init(at: Address(on: tree))
    address.open(to: self)
  }

  /// The number of times the value was written.
  package var version: UInt64 { content.withLock { $0.version } }

  package var value: Value {
    get { content.withLock { $0.value } }
    set {
      // The old value is released outside the lock.
      let old = content.withLock { content in
        defer { content = Content(value: newValue, version: content.version + 1) }
        return content.value
      }
      withExtendedLifetime(old) {}
    }
  }
}
