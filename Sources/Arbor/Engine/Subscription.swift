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

  /// Where it was subscribed.
  final let address: Address

  /// What the observer is asked and told beside its calls.
  @usableFromInline final let control: ObserverControl?
  @usableFromInline final let ended = Atomic(false)

  /// `true` if no other subscription can be of the same observer: there is no need to remember it.
  final let isUnique: Bool

  /// `true` if its address knows it as that of its observer. Under the mailbox's lock.
  final var isRegistered = false

  /// `true` while it is among its node's observers or followers.
  @exclusivity(unchecked)
  final var isLinked = false

  /// `true` if it feeds derived values, which are brought up to date before observers are called.
  @usableFromInline
  @exclusivity(unchecked)
  final var feedsDerivedValue = false

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
  init(key: Key, isUnique: Bool, at address: Address, _ control: ObserverControl?) {
    self.key = key
    self.isUnique = isUnique
    self.address = address
    self.control = control
  }

  /// `true` if the observer is not to be called any more. From any thread.
  @inlinable
  final var isEnded: Bool { ended.load(ordering: .acquiring) }

  /// `true` if the observer is to be left out for now. From any thread.
  @inlinable
  final var isPaused: Bool { control?.isPaused == true }

  /// Marks the end. Under the mailbox's lock, see ``Tree/markEnded(_:at:)``.
  final func markEnded() {
    ended.store(true, ordering: .releasing)
  }

  /// Lets go of this and of the observer's closure, which may hold this very object. Called once this is out of its list.
  @usableFromInline
  final func releaseLater() {
    Tree.releaseLater(self)
    if let closure = control?.takeClosure() { Tree.releaseLater(closure) }
  }
}

/// The role of a subscription at its node.
@usableFromInline
enum Role: Sendable {
  /// A user's observer, subscribed through a store of this identity: it is given the current state in its turn.
  case observer(scope: Identity)

  /// An observer that nobody else has, who could subscribe it again: it is given the current state in its turn.
  case internalObserver

  /// The source of a derived value, which has the current state already: it is linked at once. On the tree's queue only.
  case derivedValue

  /// The way by which a child node gets its parent's states.
  case child(Node)
}

/// A subscription of an observer that wants states of one type.
@usableFromInline
final class StateSubscription<State: Sendable>: Subscription, @unchecked Sendable {  // As its superclass.
  /// Calls the observer, unless it has ended, and returns dead if it said so in this call.
  @usableFromInline let call: @Sendable (State) -> ObserverStatus

  /// - Parameter scope: The identity of the store by which the observer subscribes; nil if it cannot do so twice.
  @inlinable
  init(_ observer: Observer<State>, scope: Identity?, address: Address) {
    let key = Key(observer: observer.identity, scope: scope ?? observer.identity)
    switch observer.form {
    case .returning(let observe):
      call = observe
      super.init(key: key, isUnique: scope == nil, at: address, observer.control)
    case .completing(let observe):
      let completing = CompletingCall(observe)
      call = { state in completing.call(with: state) }
      super.init(key: key, isUnique: scope == nil, at: address, completing)
      completing.subscription = Unmanaged.passUnretained(self)
    }
  }
}

/// Calls an observer that says by `complete` whether it has ended.
@usableFromInline
final class CompletingCall<State: Sendable>: ObserverControl, @unchecked Sendable {  // The queue owns its variables.
  @exclusivity(unchecked)
  private var observe: (@Sendable (State, @escaping Observer<State>.StatusHandler) -> Void)?

  /// The subscription that makes the calls.
  @usableFromInline
  @exclusivity(unchecked)
  var subscription: Unmanaged<Subscription>!

  @usableFromInline
  init(_ observe: @escaping @Sendable (State, @escaping Observer<State>.StatusHandler) -> Void) {
    self.observe = observe
  }

  /// Calls the observer.
  ///
  /// - Returns: Dead if it has ended by now, wherever that was said.
  @usableFromInline
  func call(with state: State) -> ObserverStatus {
    guard let observe else { return .dead }
    let subscription = self.subscription.takeUnretainedValue()
    // Captures one object, which costs no allocation.
    observe(state) { status in
      if status == .dead { subscription.address.end(subscription) }
    }
    return subscription.isEnded ? .dead : .active
  }

  override func takeClosure() -> AnyObject? {
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
  /// Keeps nothing of the observer alive; nil from the beginning if the subscription cannot be ended from here.
  weak let subscription: Subscription?

  @usableFromInline
  init(_ subscription: Subscription?) {
    self.subscription = subscription
  }

  /// Ends the subscription, from any thread, any number of times.
  func end() {
    guard let subscription else { return }
    subscription.control?.cancel()
    subscription.address.end(subscription)
  }
}
