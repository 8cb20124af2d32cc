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

    /// Is called where a scope finds no state, too.
    case noticing(@Sendable (State?) -> ObserverStatus)
  }

  @usableFromInline let identity: Identity
  @usableFromInline let form: Form

  /// Says when the observer is not to be called although it has not ended; nil if it always is.
  @usableFromInline let pause: ObserverPause?

  @inlinable
  init(identity: Identity, form: Form, pause: ObserverPause? = nil) {
    self.identity = identity
    self.form = form
    self.pause = pause
  }

  /// Makes an observer that says when it has ended by calling `complete`.
  ///
  /// - `complete(.dead)` said within the call that handed it out: no call follows. Said elsewhere: at most the one call
  ///   that was already chosen may still run. Said twice, or after the store is gone, it is harmless.
  /// - Nothing waits for `complete`: an observer that never calls it stays active.
  /// - The closure is released once its last call has ended.
  @inlinable
  public init(observe: @escaping StateHandler) {
    self.init(identity: Identity(), form: .completing(observe))
  }

  /// Makes an observer that says by what it returns whether it has ended.
  ///
  /// - After `.dead` no call follows, and the closure is released.
  @inlinable
  public init(observe: @escaping @Sendable (_ state: State) -> ObserverStatus) {
    self.init(identity: Identity(), form: .returning(observe))
  }

  /// Gives the observer a state: for stores that are made by hand, see ``Store/init(dispatch:subscribe:)``.
  ///
  /// - The observer is called at once, on the calling thread, and `complete` is told what it says, if it says anything.
  ///   Whoever sends keeps order and ends: nothing is remembered here.
  public func send(_ state: State, complete: @escaping StatusHandler = { _ in }) {
    switch form {
    case .returning(let observe): complete(observe(state))
    case .completing(let observe): observe(state, complete)
    case .noticing(let observe): complete(observe(state))
    }
  }

  /// The same observer, which also notices where there is no state for it.
  func noticing(_ absence: @escaping @Sendable () -> Void) -> Observer {
    guard case .returning(let observe) = form else { return self }
    return Observer(
      identity: identity,
      form: .noticing { state in
        if let state { return observe(state) }
        absence()
        return .active
      },
      pause: pause
    )
  }

  /// The same observer for states in which its own are found; it stays silent where `project` finds none.
  @inlinable
  func looking<Whole: Sendable>(through project: @escaping @Sendable (Whole) -> State?) -> Observer<Whole> {
    switch form {
    case .returning(let observe):
      Observer<Whole>(
        identity: identity,
        form: .returning { whole in
          guard let state = project(whole) else { return .active }
          return observe(state)
        },
        pause: pause
      )
    case .completing(let observe):
      Observer<Whole>(
        identity: identity,
        form: .completing { whole, complete in
          guard let state = project(whole) else { return }
          observe(state, complete)
        },
        pause: pause
      )
    case .noticing(let observe):
      Observer<Whole>(identity: identity, form: .noticing { whole in observe(whole.flatMap(project)) }, pause: pause)
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

/// `true` if an observer wants to be called again.
public enum ObserverStatus: Sendable, Hashable {
  /// The observer goes on: it is called with the next state too.
  case active

  /// The observer has ended: it is not called again and its closure is released.
  case dead
}

/// Keeps states from an observer that has no use for them until it has dealt with one: not even its scope is asked.
@usableFromInline
final class ObserverPause: Sendable {
  @usableFromInline let isOn = Atomic(false)

  /// From any thread.
  @inlinable
  var isSet: Bool { isOn.load(ordering: .sequentiallyConsistent) }

  func set(_ isSet: Bool) {
    isOn.store(isSet, ordering: .sequentiallyConsistent)
  }
}
