/// A subscriber: a closure that receives each state and answers whether it continues.
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
/// - The calls are made on the queue of the store's tree, possibly on the thread of a caller that waits. One tree never
///   makes two calls at the same time.
/// - Each observer has its own identity: only its copies are equal to it.
/// - An observer may be subscribed to any number of stores, and it ends at each of them separately. Subscribing it
///   again to the same store does not double it: it receives the current state again.
/// - An observer may capture any ``Store``. Capturing the ``StoreObject`` or ``StoreFactory`` that it observes would
///   keep both alive forever: capture a store of that object instead.
public struct Observer<State: Sendable>: Sendable {
  /// A closure by which an observer ends: `.dead` ends the observer, `.active` changes nothing.
  ///
  /// - It may be called from any thread, during the observer's call or later, any number of times.
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

  /// The engine's contact with the observer apart from the calls; nil if the calls are enough.
  @usableFromInline let control: ObserverControl?

  @inlinable
  package init(identity: Identity = Identity(), form: Form, control: ObserverControl? = nil) {
    self.identity = identity
    self.form = form
    self.control = control
  }

  /// Makes an observer that ends by calling `complete(.dead)`.
  ///
  /// - If `complete(.dead)` is called during the call of the observer that handed out `complete`, no call follows. If
  ///   it is called at another time, at most the one call may still run that was already about to begin. Calling it
  ///   twice, or after the store is gone, is harmless.
  /// - Nothing waits for `complete`: an observer that never calls it stays active.
  /// - The closure is released after its last call has ended.
  /// - Parameter observe: Called with each state, and with `complete`, by which the observer ends.
  @inlinable
  public init(observe: @escaping StateHandler) {
    self.init(form: .completing(observe))
  }

  /// Makes an observer that returns whether it continues.
  ///
  /// - After `.dead` no call follows, and the closure is released.
  /// - Parameter observe: Called with each state. Returns `.dead` to end the observer.
  @inlinable
  public init(observe: @escaping @Sendable (_ state: State) -> ObserverStatus) {
    self.init(form: .returning(observe))
  }

  /// Calls the observer with a state: for closure-backed stores, see ``Store/init(dispatch:subscribe:)``.
  ///
  /// - The observer is called at once, on the calling thread.
  /// - The caller is responsible for the order of the calls, and for making no more calls after `.dead`: nothing is
  ///   remembered here.
  /// - Parameters:
  ///   - state: The state that the observer receives.
  ///   - complete: Receives the observer's answer, if it gives one: at once where the observer returns it, otherwise
  ///     whenever it calls `complete`.
  public func send(_ state: State, complete: @escaping StatusHandler = { _ in }) {
    switch form {
    case .returning(let observe): complete(observe(state))
    case .completing(let observe): observe(state, complete)
    }
  }

  /// The same observer for a larger state: it receives the part that `project` finds, and no call if that is nil.
  @inlinable
  func pullback<Whole: Sendable>(through project: @escaping @Sendable (Whole) -> State?) -> Observer<Whole> {
    switch form {
    case .returning(let observe) where control == nil:
      // A branch of its own, to keep the stack frame as small as possible: a thousand scopes may be nested.
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
  /// `true` if both are copies of one observer.
  public static func == (left: Observer, right: Observer) -> Bool {
    left.identity == right.identity
  }

  /// Hashes the observer's identity.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(identity)
  }
}

/// The answer of an observer: continue or end.
public enum ObserverStatus: Sendable, Hashable {
  /// The observer continues: it is called with the next state, too.
  case active

  /// The observer has ended: it is not called again and its closure is released.
  case dead
}

/// The engine's contact with an observer apart from the calls: pauses, missing states, cancellation and release.
@usableFromInline
package class ObserverControl: @unchecked Sendable {
  // Sendable because the flags are atomic, and `mayStillSkip` is used on the store's queue only.

  @usableFromInline let pause = AtomicFlag(false)
  private let cancelled = AtomicFlag(false)

  /// `true` while the first state, which the observer is not to receive, has not come yet. On the store's queue.
  package final var mayStillSkip: Bool

  /// - Parameter skipsFirst: `true` if the observer is not to receive the first state.
  @usableFromInline
  package init(skipsFirst: Bool = false) {
    mayStillSkip = skipsFirst
  }

  /// `true` while the observer needs no further states, because it has not dealt with an earlier one yet.
  ///
  /// - From any thread. Meanwhile not even the projections of the observer's scopes are called.
  @inlinable package final var isPaused: Bool { pause.load() }

  package final func pause(_ isPaused: Bool) {
    pause.storeInTotalOrder(isPaused)
  }

  /// `true` once the observer's subscription was ended from outside: no call begins any more. From any thread.
  package final var isCancelled: Bool { cancelled.load() }

  /// Called when the observer's subscription is ended from outside. From any thread, any number of times.
  package final func cancel() {
    cancelled.store(true)
  }

  /// Called where there is no state for the observer. Returns `.dead` if that ends the observer.
  ///
  /// - Without an initial state, there is none to be skipped.
  @usableFromInline
  func noticeAbsence() -> ObserverStatus {
    mayStillSkip = false
    return .active
  }

  /// Takes out the observer's closure, for release by the caller; nil unless it may retain its own subscription.
  func takeClosure() -> AnyObject? { nil }
}
