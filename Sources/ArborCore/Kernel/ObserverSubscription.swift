// The life of a subscription. Every change of an audience's list happens on the tree's queue, or under the mailbox's
// lock while the tree is idle.
//
// - accepted: `Address.subscribe` (NodeAddress.swift) appends an entry for it.
// - registered: When its turn comes, `Tree.register` (Tree+Links.swift) registers it if its observer isn't subscribed
//   here yet. Otherwise the existing subscription receives the current state again, and the new one is released.
// - linked: `Audience.link` adds it to the list, and `deliverInitialState` calls it for the first time.
// - ended: Its observer returned `.dead` (`Audience.endInOwnCall`), or another thread or callback ended it
//   (`Address.end`, `Tree.endFromOutside`). No further call begins.
// - unlinked: `Audience.unlink` removes it from the list: at once in its own call or if the tree is idle, otherwise as
//   a link update.
// - released: `ObserverSubscription.releaseLater` frees it when the thread has left the queue of every tree.
//
// The subscription of an early observer is linked at once, on the queue. The subscription of a child is added by
// `Tree.join`. Neither is registered.

/// The subscription of an observer to an audience.
@usableFromInline
package class ObserverSubscription: @unchecked Sendable {
  // Sendable because its variables are used on the tree's queue, or under the mailbox's lock while the tree is idle.
  // Only its end is read anywhere, and that is atomic.

  /// The identity of a subscription: one observer on one store.
  @usableFromInline
  package struct Key: Hashable, Sendable {
    let observer: Identity
    let store: Identity

    @usableFromInline
    init(observer: Identity, store: Identity) {
      self.observer = observer
      self.store = store
    }
  }

  /// A member of a set of subscriptions, found by its key.
  package struct Member: Hashable {
    let subscription: Unmanaged<ObserverSubscription>

    init(of subscription: ObserverSubscription) {
      self.subscription = Unmanaged.passUnretained(subscription)
    }

    package static func == (left: Member, right: Member) -> Bool {
      left.key == right.key
    }

    package func hash(into hasher: inout Hasher) {
      hasher.combine(key)
    }

    private var key: Key { subscription._withUnsafeGuaranteedRef { $0.key } }
  }

  /// Casts a subscription to this type without a check: the members of an audience's lists have the type of its states.
  @inlinable @inline(__always)
  static func of(_ subscription: ObserverSubscription) -> Self { unsafeDowncast(subscription, to: Self.self) }

  let key: Key

  /// The address of the audience.
  final let address: Address

  /// The observer's pause, absence and cancellation; nil for a plain observer.
  @usableFromInline final let control: ObserverControl?

  /// `true` after its end. Set under the mailbox's lock.
  @usableFromInline final let ended = AtomicFlag(false)

  /// `true` if its observer can't be subscribed twice, so that it doesn't need to be registered.
  final let needsNoRegistration: Bool

  /// `true` if its address has registered it. Only used under the mailbox's lock.
  final var isRegistered = false

  /// `true` while it is in a list of its audience.
  @exclusivity(unchecked)
  final var isLinked = false

  /// `true` if its observer is called before all ordinary observers of the step.
  @usableFromInline
  @exclusivity(unchecked)
  final var isEarly = false

  /// `true` after it was first linked, so that monitors know it.
  @exclusivity(unchecked)
  final var wasLinked = false

  /// `true` while its node counts it among its subscriptions.
  @exclusivity(unchecked)
  final var isCounted = false

  /// An object that lives as long as the subscription.
  final var kept: (any AnyObject & Sendable)?

  @usableFromInline
  @exclusivity(unchecked)
  final var next: Unmanaged<ObserverSubscription>?

  @exclusivity(unchecked)
  final var previous: Unmanaged<ObserverSubscription>?

  @usableFromInline
  init(key: Key, needsNoRegistration: Bool, at address: Address, _ control: ObserverControl?) {
    self.key = key
    self.needsNoRegistration = needsNoRegistration
    self.address = address
    self.control = control
  }

  /// `true` if no further call begins. May be read from any thread.
  @inlinable
  final var isEnded: Bool { ended.load() }

  /// `true` while the observer is skipped. May be read from any thread.
  @inlinable
  final var isPaused: Bool { control?.isPaused == true }

  /// Marks the subscription as ended. Called under the mailbox's lock; see ``Tree/markEnded(_:at:)``.
  final func markEnded() {
    ended.store(true)
  }

  /// Releases the subscription and the observer's closure, which may retain this very object. Called after it was
  /// unlinked.
  @usableFromInline
  final func releaseLater() {
    Tree.releaseLater(self)
    if let closure = control?.takeClosure() { Tree.releaseLater(closure) }
  }
}

/// The role of a subscription in an audience.
@usableFromInline
package enum Role: Sendable {
  /// A user's observer, subscribed through a store with this identity. It receives the current state when its turn
  /// comes.
  case observer(store: Identity)

  /// An observer that Arbor makes and subscribes once, for `observe` or a sequence. It receives the current state when
  /// its turn comes.
  case internalObserver

  /// An observer whose owner has read the current state: it is linked at once, on the tree's queue. An early one is
  /// called before all others.
  case linked(isEarly: Bool)

  /// The observer through which a child node receives its parent's states.
  case child(Node)
}

/// A subscription with the type of its states.
@usableFromInline
final class StateSubscription<State: Sendable>: ObserverSubscription, @unchecked Sendable {  // Like its superclass.
  /// Calls the observer, and returns `.dead` if it has ended in this call.
  @usableFromInline let call: @Sendable (State) -> ObserverStatus

  /// - Parameter store: The identity of the store that the observer subscribes to; nil if it can't be subscribed twice.
  @inlinable
  init(_ observer: Observer<State>, store: Identity?, address: Address) {
    let key = Key(observer: observer.identity, store: store ?? observer.identity)
    switch observer.form {
    case .returning(let observe):
      call = observe
      super.init(key: key, needsNoRegistration: store == nil, at: address, observer.control)
    case .completing(let observe):
      let completing = CompletingCall(observe)
      call = { state in completing.call(with: state) }
      super.init(key: key, needsNoRegistration: store == nil, at: address, completing)
      completing.subscription = Unmanaged.passUnretained(self)
    }
  }
}

/// The calls of an observer that ends by calling `complete`.
@usableFromInline
final class CompletingCall<State: Sendable>: ObserverControl, @unchecked Sendable {  // Only used on the queue.
  @exclusivity(unchecked)
  private var observe: (@Sendable (State, @escaping Observer<State>.StatusHandler) -> Void)?

  /// The subscription that makes the calls.
  @usableFromInline
  @exclusivity(unchecked)
  var subscription: Unmanaged<ObserverSubscription>!

  @usableFromInline
  init(_ observe: @escaping @Sendable (State, @escaping Observer<State>.StatusHandler) -> Void) {
    self.observe = observe
  }

  /// Calls the observer.
  ///
  /// - Returns: `.dead` if it has ended by now, no matter where `complete` was called.
  @usableFromInline
  func call(with state: State) -> ObserverStatus {
    guard let observe else { return .dead }
    let subscription = self.subscription.takeUnretainedValue()
    // A closure that captures a single object doesn't need an allocation.
    observe(state) { status in
      if status == .dead { subscription.address.end(subscription) }
    }
    return subscription.isEnded ? .dead : .active
  }

  override func takeClosure() -> AnyObject? {
    observe.take().map { TakenClosure($0) }
  }

  /// A closure as an object that can be released later.
  private final class TakenClosure {
    private let closure: @Sendable (State, @escaping Observer<State>.StatusHandler) -> Void

    init(_ closure: @escaping @Sendable (State, @escaping Observer<State>.StatusHandler) -> Void) {
      self.closure = closure
    }
  }
}

/// Weak references to a subscription and its observer's control, used to end the subscription from outside.
@usableFromInline
package struct Connection: Sendable {
  private weak let weakSubscription: ObserverSubscription?

  /// The observer's control. A pending delivery can keep it alive after the subscription is freed.
  private weak let control: ObserverControl?

  /// - Parameters:
  ///   - subscription: The subscription; nil if it can't be ended from outside.
  ///   - control: The control of the observer, if it has one.
  @usableFromInline
  init(_ subscription: ObserverSubscription?, _ control: ObserverControl?) {
    weakSubscription = subscription
    self.control = control
  }

  /// The subscription; nil after it was freed, and always nil if it can't be ended from outside.
  var subscription: ObserverSubscription? {
    guard let weakSubscription else { return nil }
    // Another thread may release it now, which makes this the last reference. So its release is deferred.
    Tree.releaseLater(weakSubscription)
    return weakSubscription
  }

  /// Ends the subscription. May be called from any thread, any number of times.
  package func end() {
    if let control {
      Tree.releaseLater(control)
      control.cancel()
    }
    guard let subscription else { return }
    subscription.address.end(subscription)
  }
}
