extension Store: StateSource {
  /// How this store's states are reached.
  public var feed: StateFeed<State> {
    StateFeed(
      subscribe: { observer in
        let connection = connect(observer, .observer(scope: identity))
        if connection == nil { complain() }
        return connection
      },
      glance: { whenThere in glance(whenThere) },
      isOpen: { address?.isOpen ?? true },
      mailbox: address?.mailbox ?? Mailbox(),
      kept: nil,
      isKeptForGood: true
    )
  }

  /// The state as it is between two steps, not waiting for what was accepted; nil once the owner is gone or the scope is nil.
  ///
  /// - Parameter whenThere: Called between the same two steps, and says whether the state is wanted; not called once the owner
  ///   is gone.
  @Sendable package func glance(_ whenThere: @escaping @Sendable () -> Bool = { true }) -> State? {
    guard let address else { return whenThere() ? read(nil) : nil }
    let glimpse = Glimpse<State>()
    _ = address.mailbox.glance(at: address) { [read] node in
      if whenThere() { glimpse.state = read(node) }
    }
    return glimpse.state.take()
  }

  /// The state behind everything that was accepted before the call; nil once the owner is gone or the scope is nil.
  ///
  /// - Waits for what was accepted before, and for no more. Inside an interceptor or observer of the same tree it
  ///   answers at once. Inside a reducer there is no whole state to give: it stops the program and says so.
  /// - The scope's projection runs on the store's queue.
  public var state: State? {
    var state: State?
    // Chained, not unwrapped: so nothing is retained.
    let isOpen = address?.wait { node in state = read(node) }
    guard let isOpen else { return read(nil) }
    if !isOpen { complain() }
    return state
  }

  /// Subscribes an observer: it is given the current state first, and then the state after every step.
  ///
  /// - The current state is the one after all that was accepted before this call. None is missed and none comes twice.
  /// - Observers are called in the order of their subscription, a parent's before its children's.
  /// - Subscribed again to this store, or to a copy of it, the observer is not doubled but is sent the current state
  ///   again. On a scope made by another call it is a second subscription.
  public func subscribe(observer: Observer<State>) {
    if connect(observer, .observer(scope: identity)) == nil { complain() }
  }
}

/// A state on its way from the queue to a thread that waits for it.
final class Glimpse<State: Sendable>: @unchecked Sendable {  // One writes, then the other reads.
  var state: State?
}
