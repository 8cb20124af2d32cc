/// A lightweight reference to a node of a tree, or to a scope of a node: actions go in, states come out.
///
/// A store is a value. It keeps no state alive: the state belongs to a ``StoreFactory`` or ``StoreObject``. Once that
/// owner is gone, calls do nothing, ``state`` is nil, and debug builds report the first such call of each store on
/// standard error.
///
/// Guarantees:
///
/// - **Order.** Calls take effect in the order in which they were made, through whichever stores of the tree and from
///   whichever threads. For an action the interceptors of the store's node run first, then each ancestor's; then the
///   reducers in the same order; then each observer of the tree once.
/// - **Threads.** Every method may be called from any thread. The tree's work (interceptors, reducers, projections,
///   observers on the store's queue) never runs at the same time as itself: it runs on the tree's queue, but possibly
///   on the thread of a caller that waits, the main thread included.
/// - **Waiting.** ``StoreProtocol/state``, `select`, `derived`, `observable`, `isRunning`, `dispatchAndWait` and
///   `commit` wait for what was accepted before them. Other methods do not wait.
/// - **Nothing is lost.** An accepted action is reduced exactly once, also when the store's owner is released
///   meanwhile, unless an interceptor drops it or its task is cancelled.
/// - **Cost.** A scope, also a scope of a scope, is one composed function on its node. Copying a store costs a few
///   reference counts. Up to a thousand scopes may be nested, fewer if their states are large: each uses stack. Nesting
///   more stops the program with a message.
public struct Store<State: Sendable, Action: Sendable>: Sendable {
  /// The closure that receives the actions of a closure-backed store.
  public typealias Dispatch = @Sendable (_ action: Action) -> Void

  /// The closure that receives the observers of a closure-backed store.
  public typealias Subscribe = @Sendable (_ observer: Observer<State>) -> Void

  /// The address of the node; nil if the store is closure-backed.
  @usableFromInline let address: NodeAddress?
  @usableFromInline let sink: ActionSink<Action>
  @usableFromInline let identity = Identity()

  /// Finds this store's state. Called on the tree's queue with the node.
  @usableFromInline let read: @Sendable (AnyObject?) -> State?

  /// Connects an observer of this store's state; returns nil if the owner is gone.
  @usableFromInline let connect: @Sendable (Observer<State>, Role) -> Connection?

  /// The nesting depth of the scopes by which this store was made; see `scopeLimit`.
  @usableFromInline let depth: Int

  /// The presence sources that report whether this store's state exists. Empty if it always does.
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

  /// Makes a closure-backed store for tests and previews of code that takes a store.
  ///
  /// - ``state`` is the first state that `subscribe` sends before it returns; nil if it sends none.
  /// - `dispatchAndWait` and `dispatch(batch:)` call `dispatch` once for each action.
  /// - A `commit` returns nil unless `dispatch` applies its mutation before it returns.
  /// - Scopes work as those of any store. It has no child stores: `childStore` returns nil.
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

/// A box that keeps the first value it is given.
final class FirstValue<Value: Sendable>: Sendable {
  private let taken = Protected(Value?.none)

  var value: Value? { taken.withLock { $0 } }

  func take(_ value: Value) {
    taken.withLock { taken in
      if taken == nil { taken = value }
    }
  }
}
