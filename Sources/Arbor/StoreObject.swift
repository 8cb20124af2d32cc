/// Owns a child store: the child lives as long as its object does.
///
/// - The object keeps the whole tree above it alive. Release it to end the child: what was accepted before is still
///   reduced, and the child's observers are not called again.
/// - A release never waits. If nothing waits and no step runs, the child's state, reducer and observers are freed before
///   it returns; otherwise behind what waits.
/// - Keeping an object in its own or an ancestor's observer, interceptor or state would keep both alive forever: keep
///   ``store()`` there instead.
public final class StoreObject<State: Sendable, Action: Sendable>: StateSource, Sendable {
  /// Takes the actions of an object that is made by hand.
  public typealias Dispatch = Store<State, Action>.Dispatch

  /// Takes the observers of an object that is made by hand.
  public typealias Subscribe = Store<State, Action>.Subscribe

  /// Nil if the object was made by hand.
  @usableFromInline let owner: Owner?
  @usableFromInline let base: Store<State, Action>

  @usableFromInline
  init(owner: Owner, store: Store<State, Action>) {
    self.owner = owner
    base = store
  }

  /// Makes an object by hand, for tests and previews of what takes one, as ``Store/init(dispatch:subscribe:)``.
  ///
  /// - It owns nothing but the closures, and has no children: to make one stops the program and says so.
  public init(dispatch: @escaping Dispatch, subscribe: @escaping Subscribe) {
    owner = nil
    base = Store(dispatch: dispatch, subscribe: subscribe)
  }

  /// The child store's proxy. Every call gives the same store, as far as observers are concerned.
  public func store() -> Store<State, Action> {
    base
  }

  /// The composed state, as ``Store/state``; nil only while the child hangs below an optional scope that is nil.
  public var state: State? {
    base.state
  }

  /// Sends an action to the child and up the tree, as ``Store/dispatch(_:)``.
  @inlinable
  public func dispatch(_ action: Action) {
    base.dispatch(action)
  }

  /// Sends actions to be reduced in one step, as ``Store/dispatch(batch:)``.
  @inlinable
  public func dispatch(batch actions: [Action]) {
    base.dispatch(batch: actions)
  }

  /// Sends an action and returns after its step, as the same method of ``Store``.
  @available(*, noasync, message: "await the asynchronous form; at the top level of main.swift call it from a function")
  @inlinable
  public func dispatchAndWait(_ action: Action) {
    base.dispatchAndWait(action)
  }

  /// Sends an action and resumes after its step, as the same method of ``Store``.
  @inlinable
  public func dispatchAndWait(_ action: Action, isolation: isolated (any Actor)? = #isolation) async {
    await base.dispatchAndWait(action)
  }

  /// How the composed states are reached.
  public var feed: StateFeed<State> { base.feed }

  /// Subscribes an observer of the composed state, as ``Store/subscribe(observer:)``.
  public func subscribe(observer: Observer<State>) {
    base.subscribe(observer: observer)
  }
}
