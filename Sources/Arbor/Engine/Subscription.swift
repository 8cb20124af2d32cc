public import Synchronization

/// An observer's place in a node's list.
@usableFromInline
class Subscription: @unchecked Sendable {  // Links change on the tree's queue only, or under its lock while it is idle.
  /// The identity of a subscription: one observer on one scope.
  @usableFromInline
  struct Key: Hashable, Sendable {
    let observer: Identity
    let scope: Identity

    @usableFromInline
    init(observer: Identity, scope: Identity) {
      self.observer = observer
      self.scope = scope
    }
  }

  /// A subscription in a set, found by its key.
  struct Member: Hashable {
    let subscription: Unmanaged<Subscription>

    init(of subscription: Subscription) {
      self.subscription = Unmanaged.passUnretained(subscription)
    }

    static func == (left: Member, right: Member) -> Bool {
      left.key == right.key
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(key)
    }

    private var key: Key { subscription._withUnsafeGuaranteedRef { $0.key } }
  }

  let key: Key
  @usableFromInline let ended = Atomic(false)
  @usableFromInline let pause: ObserverPause?

  /// `true` if its address knows it as that of its observer. Under the mailbox's lock.
  final var isEntered = false

  /// `true` while it is among its node's observers or followers.
  @exclusivity(unchecked)
  final var isLinked = false

  /// `true` if it feeds derived values, which are brought up to date before observers are called.
  @usableFromInline
  @exclusivity(unchecked)
  final var isFollower = false

  /// `true` if it has ever been among them.
  @exclusivity(unchecked)
  final var wasLinked = false

  /// `true` if its node counts this among its listeners.
  @exclusivity(unchecked)
  final var isCounted = false

  /// An object that lives as long as this does.
  final var kept: (any AnyObject & Sendable)?

  @usableFromInline
  @exclusivity(unchecked)
  final var next: Unmanaged<Subscription>?

  @exclusivity(unchecked)
  final var previous: Unmanaged<Subscription>?

  @usableFromInline
  init(key: Key, pause: ObserverPause?) {
    self.key = key
    self.pause = pause
  }

  /// `true` if the observer is not to be called any more. From any thread.
  @inlinable
  final var isEnded: Bool { ended.load(ordering: .acquiring) }

  /// `true` if the observer is to be left out for now. From any thread.
  @inlinable
  final var isPaused: Bool { pause?.isSet == true }

  /// Marks the end. Under the mailbox's lock, see ``Mailbox/end(_:at:)``.
  final func end() {
    ended.store(true, ordering: .releasing)
  }

  /// Takes what the observer says by `complete`.
  func report(_ status: ObserverStatus) {}

  /// Lets go of this and of the observer's closure, which may hold this very object. Called once this is out of its list.
  @usableFromInline
  final func release() {
    Mailbox.letGo(of: self)
    if let closure = takeClosure() { Mailbox.letGo(of: closure) }
  }

  /// Takes out the observer's closure, if it may hold this very object.
  func takeClosure() -> AnyObject? { nil }

  /// Tells the observer that there is no state for it, if it wants to know, and returns dead if it has ended by that.
  @usableFromInline
  func noticeAbsence() -> ObserverStatus { .active }
}

/// The role of a subscription at its node.
@usableFromInline
enum Role: Sendable {
  /// A user's observer, subscribed through a store of this identity: it is given the current state in its turn.
  case observer(scope: Identity)

  /// The source of a derived value, which has the current state already: it is linked at once. On the tree's queue only.
  case follower

  /// The way by which a child node gets its parent's states.
  case child(Node)
}

/// A subscription of an observer that wants states of one type.
@usableFromInline
final class StateSubscription<State: Sendable>: Subscription, @unchecked Sendable {  // As its superclass.
  /// Calls the observer, unless it has ended, and returns dead if it said so in this call.
  @usableFromInline let call: @Sendable (State) -> ObserverStatus

  /// Nil for an observer that is not called without a state.
  private let absence: (@Sendable () -> ObserverStatus)?

  /// Nil for an observer that says by what it returns whether it has ended.
  private let completing: CompletingCall<State>?

  @usableFromInline
  init(_ observer: Observer<State>, scope: Identity, address: Address) {
    switch observer.form {
    case .returning(let observe):
      call = observe
      completing = nil
      absence = nil
    case .noticing(let observe):
      call = { state in observe(state) }
      completing = nil
      absence = { observe(nil) }
    case .completing(let observe):
      let completing = CompletingCall(observe, address: address)
      call = { state in completing.call(with: state) }
      self.completing = completing
      absence = nil
    }
    super.init(key: Key(observer: observer.identity, scope: scope), pause: observer.pause)
    completing?.subscription = Unmanaged.passUnretained(self)
  }

  override func report(_ status: ObserverStatus) {
    completing?.report(status, of: self)
  }

  override func takeClosure() -> AnyObject? {
    completing?.takeClosure()
  }

  @usableFromInline
  override func noticeAbsence() -> ObserverStatus {
    absence?() ?? .active
  }
}

/// Calls an observer that says by `complete` whether it has ended.
final class CompletingCall<State: Sendable>: @unchecked Sendable {  // The queue owns its variables.
  @exclusivity(unchecked)
  private var observe: (@Sendable (State, @escaping Observer<State>.StatusHandler) -> Void)?

  /// The subscription that makes the calls.
  @exclusivity(unchecked)
  var subscription: Unmanaged<Subscription>!

  private let address: Address

  init(_ observe: @escaping @Sendable (State, @escaping Observer<State>.StatusHandler) -> Void, address: Address) {
    self.observe = observe
    self.address = address
  }

  /// Calls the observer.
  ///
  /// - Returns: Dead if it has ended by now, wherever that was said.
  func call(with state: State) -> ObserverStatus {
    guard let observe else { return .dead }
    let subscription = self.subscription.takeUnretainedValue()
    // Captures one object, which costs no allocation.
    observe(state) { status in subscription.report(status) }
    return subscription.isEnded ? .dead : .active
  }

  /// Ends the subscription if the status is dead; from any thread, any number of times.
  func report(_ status: ObserverStatus, of subscription: Subscription) {
    if status == .dead { address.end(subscription) }
  }

  /// Takes out the observer's closure, which may hold this very object.
  func takeClosure() -> AnyObject? {
    observe.take().map { TakenClosure($0) }
  }

  /// A closure as an object, to be released later.
  private final class TakenClosure {
    private let closure: @Sendable (State, @escaping Observer<State>.StatusHandler) -> Void

    init(_ closure: @escaping @Sendable (State, @escaping Observer<State>.StatusHandler) -> Void) {
      self.closure = closure
    }
  }
}

/// The connection of an observer that was accepted: by it the subscription is ended from outside.
@usableFromInline
struct Connection: Sendable {
  /// Keeps nothing of the observer alive.
  private weak let subscription: Subscription?
  private let address: Address?

  @usableFromInline
  init(_ subscription: Subscription, address: Address) {
    self.subscription = subscription
    self.address = address
  }

  /// A connection that cannot be ended from here.
  @usableFromInline
  init() {
    subscription = nil
    address = nil
  }

  /// Keeps an object for as long as the subscription lasts.
  func keep(_ object: any AnyObject & Sendable) {
    if let subscription { address?.keep(object, for: subscription) }
  }

  /// Ends the subscription, from any thread, any number of times.
  func end() {
    if let subscription { address?.end(subscription) }
  }
}
