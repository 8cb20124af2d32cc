public import Synchronization

/// A subscriber: it is given each state and says whether it wants the next one.
///
/// ```swift
/// let observer = Observer<AppState> { state in
///   render(state)
///   return .active
/// }
/// store.subscribe(observer: observer)
/// ```
///
/// - It is called on the queue of the store's tree, never twice at the same time by one tree, first with the state at
///   the time of its subscription and then once for each step.
/// - Every observer that is made is one of its own: copies of it are equal to it, and nothing else is.
/// - It may be subscribed to any number of stores. Subscribed again to the same store it is not doubled; it is sent the
///   current state again.
/// - It may capture any ``Store``. Capturing the ``StoreObject`` or ``StoreFactory`` that it observes would keep both
///   alive forever: capture a store of it instead.
public struct Observer<State: Sendable>: Sendable {
  /// Says whether the observer goes on; from any thread, now or later, any number of times.
  public typealias StatusHandler = @Sendable (_ status: ObserverStatus) -> Void

  /// Is given a state, and the handler by which the observer says whether it goes on.
  public typealias StateHandler = @Sendable (_ state: State, _ complete: @escaping StatusHandler) -> Void

  @usableFromInline
  enum Form: Sendable {
    case returning(@Sendable (State) -> ObserverStatus)
    case completing(StateHandler)
  }

  @usableFromInline let identity: Identity
  @usableFromInline let form: Form

  /// What the engine asks and tells beside the calls; nil if the calls are all.
  @usableFromInline let control: ObserverControl?

  @inlinable
  init(identity: Identity = Identity(), form: Form, control: ObserverControl? = nil) {
    self.identity = identity
    self.form = form
    self.control = control
  }

  /// Makes an observer that says when it has ended by calling `complete`.
  ///
  /// - `complete(.dead)` said within the call that handed it out: no call follows. Said elsewhere: at most the one call
  ///   that was already chosen may still run. Said twice, or after the store is gone, it is harmless.
  /// - Nothing waits for `complete`: an observer that never calls it stays active.
  /// - The closure is released once its last call has ended.
  @inlinable
  public init(observe: @escaping StateHandler) {
    self.init(form: .completing(observe))
  }

  /// Makes an observer that says by what it returns whether it has ended.
  ///
  /// - After `.dead` no call follows, and the closure is released.
  @inlinable
  public init(observe: @escaping @Sendable (_ state: State) -> ObserverStatus) {
    self.init(form: .returning(observe))
  }

  /// Gives the observer a state: for stores that are made by hand, see ``Store/init(dispatch:subscribe:)``.
  ///
  /// - The observer is called at once, on the calling thread, and `complete` is told what it says, if it says anything.
  ///   Whoever sends keeps order and ends: nothing is remembered here.
  public func send(_ state: State, complete: @escaping StatusHandler = { _ in }) {
    switch form {
    case .returning(let observe): complete(observe(state))
    case .completing(let observe): observe(state, complete)
    }
  }

  /// The same observer for states in which its own are found; it stays silent where `project` finds none.
  @inlinable
  func pullback<Whole: Sendable>(through project: @escaping @Sendable (Whole) -> State?) -> Observer<Whole> {
    switch form {
    case .returning(let observe) where control == nil:
      // With a frame that is as small as can be: a thousand scopes may be nested.
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

  /// Hashes what makes this observer one of its own.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(identity)
  }
}

/// The answer of an observer: to go on or to end.
public enum ObserverStatus: Sendable, Hashable {
  /// The observer goes on: it is called with the next state too.
  case active

  /// The observer has ended: it is not called again and its closure is released.
  case dead
}

/// What the engine asks an observer, and tells it, beside the calls.
@usableFromInline
class ObserverControl: @unchecked Sendable {  // The flag is atomic; see the subclasses for the rest.
  @usableFromInline final let pause = Atomic(false)

  /// `true` while the observer has no use for states, until it has dealt with one: not even its scope is asked. From any thread.
  @inlinable
  final var isPaused: Bool { pause.load(ordering: .sequentiallyConsistent) }

  final func pause(_ isPaused: Bool) {
    pause.store(isPaused, ordering: .sequentiallyConsistent)
  }

  /// Notices that there is no state for the observer, and returns dead if it has ended by that.
  @usableFromInline
  func noticeAbsence() -> ObserverStatus { .active }

  /// Notices that the observer is not wanted any more. From any thread, any number of times.
  func cancel() {}

  /// Takes out the observer's closure, if it may hold its subscription.
  func takeClosure() -> AnyObject? { nil }
}
