public import Synchronization

/// An observer's place in a node's list.
@usableFromInline
class Subscription: @unchecked Sendable {  // Links change on the tree's queue only, or under its lock while it is idle.
  /// What makes two subscriptions the same: one observer on one scope.
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

  /// `true` if its door knows it as that of its observer. Under the mailbox's lock.
  final var isEntered = false

  /// `true` while it is among its node's observers or followers.
  @exclusivity(unchecked)
  final var isLinked = false

  /// `true` if it feeds derived values, which are brought up to date before observers are called.
  @usableFromInline
  @exclusivity(unchecked)
  final var isFollower = false

  /// Whether it has ever been among them.
  @exclusivity(unchecked)
  final var wasLinked = false

  /// Whether its node counts this among its listeners.
  @exclusivity(unchecked)
  final var isCounted = false

  /// What lives as long as this does.
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

  /// Whether the observer is not to be called any more. From any thread.
  @inlinable
  final var isEnded: Bool { ended.load(ordering: .acquiring) }

  /// Whether the observer is to be left out for now. From any thread.
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
