extension StoreProtocol {
  /// The current state, after everything that was accepted before the call; nil once the owner is gone or while the
  /// scope is nil.
  ///
  /// - Waits for what was accepted before the call, and for nothing more. Inside an interceptor or observer of the same
  ///   tree it returns at once. Inside a reducer the state is incomplete: reading it stops the program with a message.
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
  ///   state again. On a scope made by another call it is a second subscription.
  public func subscribe(observer: Observer<State>) {
    let store = asStore
    if store.connect(observer, .observer(scope: store.identity)) == nil { store.reportUseAfterRelease() }
  }

  /// This store as a type-erased source of states.
  @inlinable
  public var asStateSource: AnyStateSource<State> {
    let store = asStore
    return AnyStateSource(at: store.address, identity: store.identity, read: store.read, connect: store.connect)
  }
}
