extension StoreProtocol {
  /// The state behind everything that was accepted before the call; nil once the owner is gone or the scope is nil.
  ///
  /// - Waits for what was accepted before, and for no more. Inside an interceptor or observer of the same tree it
  ///   answers at once. Inside a reducer there is no whole state to give: it stops the program and says so.
  /// - The scope's projection runs on the store's queue.
  @inlinable
  public var state: State? {
    let store = asStore
    var state: State?
    // Chained, not unwrapped: so nothing is retained.
    let isOpen = store.address?.wait { node in state = store.read(node) }
    guard let isOpen else { return store.read(nil) }
    if !isOpen { store.reportUseAfterRelease() }
    return state
  }

  /// Subscribes an observer: it is given the current state first, and then the state after every step.
  ///
  /// - The current state is the one after all that was accepted before this call. None is missed and none comes twice.
  /// - Observers are called in the order of their subscription, a parent's before its children's.
  /// - Subscribed again to this store, or to a copy of it, the observer is not doubled but is sent the current state
  ///   again. On a scope made by another call it is a second subscription.
  public func subscribe(observer: Observer<State>) {
    let store = asStore
    if store.connect(observer, .observer(scope: store.identity)) == nil { store.reportUseAfterRelease() }
  }

  /// The store as a source of whatever type.
  @inlinable
  public var asStateSource: AnyStateSource<State> {
    let store = asStore
    return AnyStateSource(at: store.address, identity: store.identity, read: store.read, connect: store.connect)
  }
}
