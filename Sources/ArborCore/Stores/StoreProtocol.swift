// The life of an action is described at the top of Steps/StateNode+Step.swift.

/// The methods that ``Store``, ``StoreObject``, ``StoreFactory`` and ``StoreDriver`` share.
///
/// - Each method acts on ``asStore`` and gives the same guarantees. If a result is optional because the owner may be
///   gone, it isn't optional on a ``StoreOwner``, such as a ``StoreFactory``.
public protocol StoreProtocol<State, Action>: StateSource {
  /// The type of the store's states.
  associatedtype State

  /// The type of the store's actions.
  associatedtype Action: Sendable

  /// The store on which the methods act.
  ///
  /// - Return the same store each time, so that Arbor recognizes an observer that you subscribe again.
  var asStore: Store<State, Action> { get }
}

extension Store: StoreProtocol {
  /// This store.
  @inlinable public var asStore: Store { self }
}

extension StoreProtocol {
  /// Sends an action to this store and its ancestors.
  ///
  /// - You can call it from any thread. It returns at once, before the action is reduced, and never waits for user
  ///   code.
  /// - Every action is accepted while the owner lives. Once the owner is gone, the call does nothing; debug builds
  ///   report that once for each store.
  /// - If a producer is faster than the reducers, memory use grows. Call `await dispatchAndWait(_:)` for back-pressure.
  /// - Parameter action: The action to send.
  @inlinable
  public func dispatch(_ action: Action) {
    let store = asStore
    if !store.sink.dispatch(action) { store.reportUseAfterRelease() }
  }

  /// Sends actions that are reduced as a single step, with one notification at the end.
  ///
  /// - For each action, in order, its interceptors, reducers and effects run. Observers are called once, after the last
  ///   action.
  /// - Actions that interceptors dispatch in the meantime are reduced after the whole batch.
  /// - Parameter actions: The actions in order. An empty array isn't a step.
  @inlinable
  public func dispatch(batch actions: [Action]) {
    let store = asStore
    if !store.sink.submit(.batch(actions, completion: nil)) { store.reportUseAfterRelease() }
  }

  /// Sends an action, and returns after it was reduced and the observers on the store's queue have been called.
  ///
  /// - It waits for everything accepted before the call. It doesn't wait for effects, or for anything accepted during
  ///   the call, such as actions that interceptors and observers dispatch. Some of those may still be reduced first if
  ///   another thread is running the tree.
  /// - The calling thread may run work of the tree, including callbacks.
  /// - On the main thread, it performs the waiting deliveries for the main actor before it returns.
  /// - Inside a reducer, interceptor or observer of the same tree it would wait forever, so it stops the program with a
  ///   message. Call ``dispatch(_:)`` there instead.
  /// - It returns at once if the owner is gone.
  /// - Parameter action: The action to send.
  @available(*, noasync, message: "call it with 'await' in a function, not at the top level of main.swift")
  @inlinable
  public func dispatchAndWait(_ action: Action) {
    let store = asStore
    if !store.sink.submit(.blocking(action)) { store.reportUseAfterRelease() }
  }

  /// Sends an action, and resumes after it was reduced and the observers on the store's queue have been called.
  ///
  /// - It doesn't block a thread. It ignores cancellation of the calling task: it still sends the action and waits for
  ///   it.
  /// - Parameters:
  ///   - action: The action to send.
  ///   - isolation: The actor that makes the call; nil if there is none.
  @inlinable
  public func dispatchAndWait(_ action: Action, isolation: isolated (any Actor)? = #isolation) async {
    let store = asStore
    if !(await store.submitAndWait { .awaited(action, AwaitedStep(completion: $0)) }) { store.reportUseAfterRelease() }
  }

  /// Sends actions that are reduced as a single step, and returns after that step.
  ///
  /// - It sends them like ``dispatch(batch:)`` and waits like ``dispatchAndWait(_:)``.
  /// - Parameter actions: The actions in order. If the array is empty, the call waits for everything accepted before
  ///   it.
  @available(*, noasync, message: "call it with 'await' in a function, not at the top level of main.swift")
  @inlinable
  public func dispatchAndWait(batch actions: [Action]) {
    let store = asStore
    if !store.sink.submit(.blockingBatch(actions)) { store.reportUseAfterRelease() }
  }

  /// Sends actions that are reduced as a single step, and resumes after that step.
  ///
  /// - It sends them like ``dispatch(batch:)``. It doesn't block a thread, and ignores cancellation of the calling
  ///   task.
  /// - Parameters:
  ///   - actions: The actions in order. If the array is empty, the call waits for everything accepted before it.
  ///   - isolation: The actor that makes the call; nil if there is none.
  @inlinable
  public func dispatchAndWait(batch actions: [Action], isolation: isolated (any Actor)? = #isolation) async {
    let store = asStore
    if !(await store.submitAndWait { .batch(actions, completion: $0) }) { store.reportUseAfterRelease() }
  }
}

extension StoreProtocol {
  /// The current state, after everything accepted before the call; nil once the owner is gone or while the scope is
  /// nil.
  ///
  /// - Reading it waits for everything accepted before the call, like ``dispatchAndWait(_:)``. Inside an interceptor or
  ///   observer of the same tree, it returns at once. Inside a reducer the state is incomplete: reading it there stops
  ///   the program with a message.
  /// - The scope's projection runs on the tree's queue.
  @inlinable
  public var state: State? {
    let store = asStore
    var state: State?
    // Optional chaining, because a binding would retain the address.
    let isOpen = store.address?.wait { node in state = store.read(node) }
    guard let isOpen else { return store.read(nil) }
    if !isOpen { store.reportUseAfterRelease() }
    return state
  }

  /// Subscribes an observer, which receives the current state and then the state after every step.
  ///
  /// - The current state is the state after everything accepted before this call. The observer receives every state
  ///   exactly once.
  /// - This call doesn't wait for the observer's first call, which may come before or after it returns.
  /// - Observers are called in the order of their subscription, a parent's before its children's.
  /// - If you subscribe an observer again to this store, or to a copy of it, the observer isn't added twice. It
  ///   receives the current state again. Two calls to `scope` make two stores: if you subscribe an observer to both, it
  ///   is called for each.
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

/// A type that wraps a store and adds its own methods: a view model, a service, a part of a program.
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
/// - It has all methods of ``StoreProtocol``. They call ``store`` and give the same guarantees.
/// - It may be a struct, a class or an actor, sendable or not. On an actor, declare a computed `store` as
///   `nonisolated`.
/// - You can observe it and dispatch to it as you can with the store itself.
public protocol StoreDriver<State, Action>: StoreProtocol {
  /// The type of the store's states.
  associatedtype State

  /// The type of the store's actions.
  associatedtype Action

  /// The store on which the methods act.
  ///
  /// - Return the same store each time: Arbor uses the store's identity to recognize an observer that you subscribe
  ///   twice. If you make a new scope for each access, it is a different store each time, and the observer is called
  ///   twice.
  var store: Store<State, Action> { get }
}

extension StoreDriver {
  /// The wrapped store.
  @inlinable public var asStore: Store<State, Action> { store }
}

/// A store that owns its tree, so that it always has a state.
///
/// - Where a method's result is optional on a ``Store``, the form here always returns a value.
/// - If you write a conforming type, its `asStore` must be the root of a tree that the type keeps alive: without a
///   state, these methods stop the program.
public protocol StoreOwner<State, Action>: StoreProtocol {}

extension StoreOwner {
  /// The state of the root, never nil.
  ///
  /// - Reading it waits for accepted work, like ``StoreProtocol/state``.
  @inlinable public var state: State { asStore.state! }
}
