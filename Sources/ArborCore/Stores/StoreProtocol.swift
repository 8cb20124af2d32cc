// The life of an action stands at the head of Steps/StateNode+Step.swift.

/// The methods that ``Store``, ``StoreObject``, ``StoreFactory`` and ``StoreDriver`` share.
///
/// - Each method acts on ``asStore`` and gives the same guarantees. Results that are optional because the owner may be
///   gone are not optional on a ``StoreOwner``, such as a ``StoreFactory``.
public protocol StoreProtocol<State, Action>: StateSource {
  /// The type of the store's states.
  associatedtype State

  /// The type of the store's actions.
  associatedtype Action: Sendable

  /// The store on which the methods act.
  ///
  /// - It is the same store each time, so that an observer that is subscribed again is recognized.
  var asStore: Store<State, Action> { get }
}

extension Store: StoreProtocol {
  /// This store.
  @inlinable public var asStore: Store { self }
}

extension StoreProtocol {
  /// Sends an action to this store and its ancestors.
  ///
  /// - From any thread. Returns at once, before the action is reduced: it never waits for user code.
  /// - Every action is accepted while the owner lives. Once the owner is gone the call does nothing, and debug builds
  ///   report it once for each store.
  /// - A producer that is faster than the reducers grows memory. Use `await dispatchAndWait(_:)` for back-pressure.
  /// - Parameter action: The action to send.
  @inlinable
  public func dispatch(_ action: Action) {
    let store = asStore
    if !store.sink.dispatch(action) { store.reportUseAfterRelease() }
  }

  /// Sends actions that are reduced as one step: for each action its interceptors, reducers and effects, in order, and
  /// after the last one a single round of notification.
  ///
  /// - Actions that interceptors dispatch meanwhile are reduced after the whole batch.
  /// - Parameter actions: The actions in their order. An empty array is no step.
  @inlinable
  public func dispatch(batch actions: [Action]) {
    let store = asStore
    if !store.sink.submit(.batch(actions, completion: nil)) { store.reportUseAfterRelease() }
  }

  /// Sends an action, and returns after it was reduced and the observers on the store's queue were called.
  ///
  /// - Waits for everything that was accepted before the call. It doesn't wait for effects, nor for what is accepted
  ///   during the call, as actions that interceptors and observers dispatch; but some of that may be reduced first, if
  ///   another thread is running the tree. The calling thread may run work of the tree, callbacks included.
  /// - On the main thread, the waiting deliveries for the main actor are made before it returns.
  /// - Inside a reducer, interceptor or observer of the same tree it would wait forever: it stops the program with a
  ///   message. Use ``dispatch(_:)`` there.
  /// - Returns at once if the owner is gone.
  /// - Parameter action: The action to send.
  @available(*, noasync, message: "write 'await' before it, in a function: not at the top level of main.swift")
  @inlinable
  public func dispatchAndWait(_ action: Action) {
    let store = asStore
    if !store.sink.submit(.blocking(action)) { store.reportUseAfterRelease() }
  }

  /// Sends an action, and resumes after it was reduced and the observers on the store's queue were called.
  ///
  /// - Blocks no thread meanwhile. The cancellation of the task is ignored: the action is sent and waited for all the
  ///   same.
  /// - Parameters:
  ///   - action: The action to send.
  ///   - isolation: The actor on which the call is made; nil if it is on none.
  @inlinable
  public func dispatchAndWait(_ action: Action, isolation: isolated (any Actor)? = #isolation) async {
    let store = asStore
    if !(await store.submitAndWait { .awaited(action, AwaitedStep(completion: $0)) }) { store.reportUseAfterRelease() }
  }

  /// Sends actions that are reduced as one step, as ``dispatch(batch:)`` does, and returns after that step, as
  /// ``dispatchAndWait(_:)`` does.
  ///
  /// - Parameter actions: The actions in their order. If it is empty, the call waits for everything that was accepted
  ///   before it.
  @available(*, noasync, message: "write 'await' before it, in a function: not at the top level of main.swift")
  @inlinable
  public func dispatchAndWait(batch actions: [Action]) {
    let store = asStore
    if !store.sink.submit(.blockingBatch(actions)) { store.reportUseAfterRelease() }
  }

  /// Sends actions that are reduced as one step, as ``dispatch(batch:)`` does, and resumes after that step.
  ///
  /// - Blocks no thread meanwhile, and ignores the cancellation of the task.
  /// - Parameters:
  ///   - actions: The actions in their order. If it is empty, the call waits for everything that was accepted before
  ///     it.
  ///   - isolation: The actor on which the call is made; nil if it is on none.
  @inlinable
  public func dispatchAndWait(batch actions: [Action], isolation: isolated (any Actor)? = #isolation) async {
    let store = asStore
    if !(await store.submitAndWait { .batch(actions, completion: $0) }) { store.reportUseAfterRelease() }
  }
}

extension StoreProtocol {
  /// The current state, after everything that was accepted before the call; nil once the owner is gone or while the
  /// scope is nil.
  ///
  /// - Waits for what was accepted before the call, as ``dispatchAndWait(_:)`` does. Inside an interceptor or observer
  ///   of the same tree it returns at once. Inside a reducer the state is incomplete: reading it stops the program with
  ///   a message.
  /// - The scope's projection runs on the tree's queue.
  @inlinable
  public var state: State? {
    let store = asStore
    var state: State?
    // Optional chaining instead of a binding, which would retain the address.
    let isOpen = store.address?.wait { node in state = store.read(node) }
    guard let isOpen else { return store.read(nil) }
    if !isOpen { store.reportUseAfterRelease() }
    return state
  }

  /// Subscribes an observer, which receives the current state and then the state after every step.
  ///
  /// - The current state is the one after everything that was accepted before this call. No state is missed and none
  ///   comes twice.
  /// - This does not wait for the first call, which may come before or after it returns.
  /// - Observers are called in the order of their subscription, a parent's before its children's.
  /// - An observer that is subscribed again to this store, or to a copy of it, is not doubled but receives the current
  ///   state again. Two calls of `scope` make two stores: subscribed to both, it is
  ///   called for each.
  /// - Parameter observer: The observer, which receives states until it ends or the owner is gone.
  public func subscribe(observer: Observer<State>) {
    let store = asStore
    if store.connect(observer, .observer(store: store.identity)) == nil { store.reportUseAfterRelease() }
  }

  /// This store as a type-erased source of states.
  @inlinable
  public var asStateSource: AnyStateSource<State> {
    let store = asStore
    return AnyStateSource(
      at: store.address, on: store.sink.enclosingHost.tree, identity: store.identity, read: store.read,
      connect: store.connect)
  }
}

/// A type that wraps a store and adds methods of its own: a view model, a service, a part of a program.
///
/// ```swift
/// @MainActor final class CounterModel: StoreDriver {
///   let store: Store<Counter, CounterAction>
///
///   init(store: Store<Counter, CounterAction>) { self.store = store }
///
///   func increment() { dispatch(.increment) }
/// }
/// ```
///
/// - It has all methods of ``StoreProtocol``. They are forwarded to ``store`` and give the same guarantees.
/// - It may be a struct, a class or an actor, sendable or not. On an actor, declare a computed `store` as
///   `nonisolated`.
/// - It can be observed and dispatched to like the store itself.
public protocol StoreDriver<State, Action>: StoreProtocol {
  /// The type of the store's states.
  associatedtype State

  /// The type of the store's actions.
  associatedtype Action

  /// The store on which the methods act.
  ///
  /// - Return the same store each time: an observer that is subscribed twice is recognized by the store's identity. A
  ///   scope that is made anew for each access is a different store, and the observer would be called twice.
  var store: Store<State, Action> { get }
}

extension StoreDriver {
  /// The wrapped store.
  @inlinable public var asStore: Store<State, Action> { store }
}

/// A store that owns its tree, so that it always has a state.
///
/// - Methods whose result is optional on a ``Store`` have a form here that always returns a value.
/// - If you write a conforming type, its `asStore` must be the root of a tree that it keeps alive: without a state, these
///   methods stop the program.
public protocol StoreOwner<State, Action>: StoreProtocol {}

extension StoreOwner {
  /// The root's state, like ``StoreProtocol/state``.
  @inlinable public var state: State { asStore.state! }
}
