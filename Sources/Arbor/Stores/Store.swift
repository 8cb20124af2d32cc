/// A lightweight proxy of a place in a tree of stores: actions go in, states come out.
///
/// A store is a value. It keeps no state alive: the state belongs to a ``StoreFactory`` or ``StoreObject``. Once that
/// owner is gone, calls do nothing, ``state`` is nil, and debug builds say so once on standard error.
///
/// Guarantees:
///
/// - **Order.** Calls take effect in the order in which they were made, whichever stores of the tree and threads they
///   came through. For an action the interceptors of the store's node run first, then each ancestor's; then the reducers
///   in the same order; then each observer of the tree once.
/// - **Threads.** Every method may be called from any thread. The tree's work never runs at the same time as itself: it runs on the
///   tree's queue, and there on the thread of a caller that waits for it, which may be the main one.
/// - **Waiting.** ``StoreProtocol/state``, `select`, `derived`, `isRunning`, `dispatchAndWait` and `commit` wait for what was accepted
///   before them. Nothing else waits.
/// - **Nothing is lost.** An accepted action is reduced exactly once, also when the store's owner is released meanwhile.
/// - **Cost.** A scope, also a scope of a scope, is one composed function on its node. Copying a store costs a few
///   reference counts. Up to a thousand scopes may be nested: each costs stack; one more stops the program and says so.
public struct Store<State: Sendable, Action: Sendable>: Sendable {
  /// Takes the actions of a store that is made by hand.
  public typealias Dispatch = @Sendable (_ action: Action) -> Void

  /// Takes the observers of a store that is made by hand.
  public typealias Subscribe = @Sendable (_ observer: Observer<State>) -> Void

  /// The way to the node; nil if the store was made by hand.
  @usableFromInline let address: NodeAddress?
  @usableFromInline let sink: ActionSink<Action>
  @usableFromInline let identity = Identity()

  /// Finds this store's state. Called on the queue with the node.
  @usableFromInline let read: @Sendable (AnyObject?) -> State?

  /// Connects an observer of this store's state; nil if that was refused.
  @usableFromInline let connect: @Sendable (Observer<State>, Role) -> Connection?

  /// How deep the scopes are nested that were made one of the other, this one included; see `scopeLimit`.
  @usableFromInline let depth: Int

  /// Watches that report whether this store's state exists. Empty if it always does.
  @usableFromInline let presences: [AttachmentHost.PresenceSource]

  @inlinable
  init(
    address: NodeAddress?,
    sink: ActionSink<Action>,
    read: @escaping @Sendable (AnyObject?) -> State?,
    connect: @escaping @Sendable (Observer<State>, Role) -> Connection?,
    depth: Int = 0,
    presences: [AttachmentHost.PresenceSource] = []
  ) {
    self.address = address
    self.sink = sink
    self.read = read
    self.connect = connect
    self.depth = depth
    self.presences = presences
  }

  /// Makes a store by hand, for tests and previews of what takes a store.
  ///
  /// - ``state`` is what `subscribe` gives at once, else nil. Waiting and batches just call `dispatch`, once an action.
  /// - The mutation of a commit must be applied before `dispatch` returns; else the commit gives nil.
  /// - A scope of it works as of any store; it has no child stores.
  public init(dispatch: @escaping Dispatch, subscribe: @escaping Subscribe) {
    self.init(
      address: nil,
      sink: ActionSink(calling: dispatch),
      read: { _ in
        let first = FirstValue<State>()
        subscribe(
          Observer { state in
            first.take(state)
            return .dead
          }
        )
        return first.value
      },
      connect: { observer, _ in
        subscribe(observer)
        return Connection(nil)
      }
    )
  }
}

/// Keeps the first value that it is given.
final class FirstValue<Value: Sendable>: Sendable {
  private let taken = Protected(Value?.none)

  var value: Value? { taken.withLock { $0 } }

  func take(_ value: Value) {
    taken.withLock { taken in
      if taken == nil { taken = value }
    }
  }
}
