/// A subscriber: a closure that receives each state, and continues or ends.
///
/// ```swift
/// let observer = Observer<AppState> { state in
///   render(state)
///   return .active
/// }
/// store.subscribe(observer: observer)
/// ```
///
/// - The observer is called first with the state at the time of its subscription, and then once for each step.
/// - It is called on the queue of the store's tree, possibly on the thread of a waiting caller. A tree never makes two
///   of these calls at the same time.
/// - Each observer has its own identity: only its copies are equal to it.
/// - You can subscribe an observer to any number of stores; it ends at each of them separately. If you subscribe it
///   again to the same store, it isn't added twice, but receives the current state again.
/// - An observer may capture any ``Store``. Don't capture the ``StoreObject`` or ``StoreFactory`` that it observes,
///   which would keep both alive forever. Capture a store of that object instead.
public struct Observer<State: Sendable>: Sendable {
  /// A closure that ends an observer: `.dead` ends the observer, `.active` does nothing.
  ///
  /// - You can call it from any thread, during the observer's call or later, any number of times.
  public typealias StatusHandler = @Sendable (_ status: ObserverStatus) -> Void

  /// A closure that receives each state, together with the handler that ends the observer.
  public typealias StateHandler = @Sendable (_ state: State, _ complete: @escaping StatusHandler) -> Void

  @usableFromInline
  package enum Form: Sendable {
    case returning(@Sendable (State) -> ObserverStatus)
    case completing(StateHandler)
  }

  @usableFromInline let identity: Identity
  @usableFromInline let form: Form

  /// The engine's connection to the observer, apart from the calls; nil if the calls are enough.
  @usableFromInline let control: ObserverControl?

  @inlinable
  package init(identity: Identity = Identity(), form: Form, control: ObserverControl? = nil) {
    self.identity = identity
    self.form = form
    self.control = control
  }

  /// Makes an observer that ends by calling `complete(.dead)`.
  ///
  /// - If you call `complete(.dead)` during the call that passed you `complete`, no call follows. If you call it at
  ///   another time, at most one call follows: one that was already about to begin. Calling it twice, or after the
  ///   store is gone, is harmless.
  /// - You don't have to call `complete`: an observer that never calls it stays active.
  /// - The closure is released after its last call has ended.
  /// - Parameter observe: Called with each state, and with `complete`, which ends the observer.
  @inlinable
  public init(observe: @escaping StateHandler) {
    self.init(form: .completing(observe))
  }

  /// Makes an observer that ends by returning `.dead`.
  ///
  /// - After `.dead`, no call follows, and the closure is released.
  /// - Parameter observe: Called with each state. Returns `.active` to continue or `.dead` to end the observer.
  @inlinable
  public init(observe: @escaping @Sendable (_ state: State) -> ObserverStatus) {
    self.init(form: .returning(observe))
  }

  /// Calls the observer with a state, for closure-backed stores; see ``Store/init(dispatch:subscribe:)``.
  ///
  /// - The observer is called at once, on the calling thread.
  /// - You are responsible for the order of the calls, and for making no more calls after `.dead`: this method doesn't
  ///   remember earlier calls.
  /// - Parameters:
  ///   - state: The state that the observer receives.
  ///   - complete: Receives the observer's status, if there is one: at once if the observer returns it, otherwise
  ///     whenever it calls `complete`.
  public func send(_ state: State, complete: @escaping StatusHandler = { _ in }) {
    switch form {
    case .returning(let observe): complete(observe(state))
    case .completing(let observe): observe(state, complete)
    }
  }

  /// Returns the same observer for a larger state. It receives the part that `project` finds, and isn't called if that
  /// is nil.
  @inlinable
  func pullback<Whole: Sendable>(through project: @escaping @Sendable (Whole) -> State?) -> Observer<Whole> {
    switch form {
    case .returning(let observe) where control == nil:
      // A separate branch keeps the stack frame as small as possible: a thousand scopes may be nested.
      Observer<Whole>(
        identity: identity,
        form: .returning { whole in
          guard let state = project(whole) else { return .active }
          return observe(state)
        }
      )
    case .returning(let observe):
      Observer<Whole>(
        identity: identity,
        form: .returning { [control] whole in
          guard let state = project(whole) else { return control?.noticeAbsence() ?? .active }
          return observe(state)
        },
        control: control
      )
    case .completing(let observe):
      Observer<Whole>(
        identity: identity,
        form: .completing { whole, complete in
          guard let state = project(whole) else { return }
          observe(state, complete)
        },
        control: control
      )
    }
  }
}

extension Observer: Hashable {
  /// Returns `true` if both are copies of the same observer.
  public static func == (left: Observer, right: Observer) -> Bool {
    left.identity == right.identity
  }

  /// Hashes the observer's identity.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(identity)
  }
}

/// An observer's answer: continue or end.
///
/// ```swift
/// let observer = Observer<Int> { count in
///   count < 10 ? .active : .dead
/// }
/// ```
public enum ObserverStatus: Sendable, Hashable {
  /// The observer continues: it is also called with the next state.
  case active

  /// The observer has ended: it isn't called again, and its closure is released.
  case dead
}

/// The engine's connection to an observer, apart from the calls: pauses, missing states, cancellation and release.
@usableFromInline
package class ObserverControl: @unchecked Sendable {
  // Sendable because the flags are atomic, and `mayStillSkip` is only used on the store's queue.

  @usableFromInline let pause = AtomicFlag(false)
  private let cancelled = AtomicFlag(false)

  /// `true` until the first state comes, if the observer must not receive it. Only used on the store's queue.
  package final var mayStillSkip: Bool

  /// - Parameter skipsFirst: `true` if the observer must not receive the first state.
  @usableFromInline
  package init(skipsFirst: Bool = false) {
    mayStillSkip = skipsFirst
  }

  /// `true` while the observer needs no further states, because it hasn't processed an earlier one yet.
  ///
  /// - May be read from any thread. While it is `true`, not even the projections of the observer's scopes are called.
  @inlinable package final var isPaused: Bool { pause.load() }

  package final func pause(_ isPaused: Bool) {
    pause.storeInTotalOrder(isPaused)
  }

  /// `true` after the observer's subscription was ended from outside: no further call begins. May be read from any
  /// thread.
  package final var isCancelled: Bool { cancelled.load() }

  /// Called when the observer's subscription is ended from outside. From any thread, any number of times.
  package final func cancel() {
    cancelled.store(true)
  }

  /// Called when there is no state for the observer. Returns `.dead` if that ends the observer.
  ///
  /// - Without an initial state, there is none to skip.
  @usableFromInline
  func noticeAbsence() -> ObserverStatus {
    mayStillSkip = false
    return .active
  }

  /// Takes out the observer's closure, so that the caller can release it; nil unless it may retain its own
  /// subscription.
  func takeClosure() -> AnyObject? { nil }
}
