/// A lightweight reference to a node of a tree, or to a scope of a node: actions go in, states come out.
///
/// ```swift
/// let store = factory.rootStore()
/// store.dispatch(.increment)
/// let count = store.scope(to: { $0.count })
/// ```
///
/// A store is a value. It doesn't keep a state alive: the state belongs to a ``StoreFactory`` or ``StoreObject``. Once
/// that owner is gone, calls do nothing and `state` is nil. Debug builds report the first such call of each store on
/// standard error.
///
/// Guarantees:
///
/// - **Order.** Calls take effect in the order they were made, through any stores of the tree and from any threads; of
///   two concurrent calls, either may come first. For an action, the interceptors of the store's node run first, then
///   each ancestor's; then the reducers in the same order; then each observer of the tree once.
/// - **Threads.** You can call every method from any thread. The tree's work (interceptors, reducers, projections,
///   observers on the store's queue) never runs concurrently with itself. It runs on the tree's queue, but possibly on
///   the thread of a waiting caller, including the main thread.
/// - **Waiting.** ``StoreProtocol/state`` and `dispatchAndWait` wait for everything accepted before them. The other
///   methods of the core don't wait. The documentation of `Arbor`'s methods says whether they wait.
/// - **Nothing is lost.** An accepted action is reduced exactly once, even if the store's owner is released in the
///   meantime, unless an interceptor drops or holds it, or its task is canceled.
/// - **Cost.** A scope, even a scope of a scope, is one composed function on its node. Copying a store costs a few
///   reference counts. You can nest up to a thousand scopes, fewer if their states are large, because each uses stack.
///   Nesting more stops the program with a message.
public struct Store<State: Sendable, Action: Sendable>: Sendable {
  /// The closure that receives the actions of a closure-backed store.
  public typealias Dispatch = @Sendable (_ action: Action) -> Void

  /// The closure that receives the observers of a closure-backed store.
  public typealias Subscribe = @Sendable (_ observer: Observer<State>) -> Void

  /// The address of the node; nil if the store is closure-backed.
  @usableFromInline package let address: NodeAddress?
  @usableFromInline package let sink: ActionSink<Action>
  @usableFromInline package let identity = Identity()

  /// Reads this store's state. Called on the tree's queue with the node. For a closure-backed store, called on any
  /// thread with nil.
  @usableFromInline package let read: @Sendable (AnyObject?) -> State?

  /// Connects an observer of this store's state. Returns nil if the owner is gone. Never returns nil for a child node,
  /// which doesn't join a node without an owner.
  @usableFromInline package let connect: @Sendable (Observer<State>, Role) -> Connection?

  /// The nesting depth of the scopes that led to this store; see `scopeLimit`.
  @usableFromInline let depth: Int

  /// The presence sources that report whether this store's state exists. Empty if it always does.
  @usableFromInline package let presences: [AttachmentHost.PresenceSource]

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
  /// - `state` is the first state that `subscribe` sends before it returns; nil if it sends none.
  /// - `dispatchAndWait` and `dispatch(batch:)` call `dispatch` once for each action.
  /// - `commit` returns nil unless `dispatch` applies its mutation before it returns.
  /// - Scopes work like in any other store. Child stores are closed from the start.
  /// - Parameters:
  ///   - dispatch: Receives each action, on the thread that sends it.
  ///   - subscribe: Receives each observer, and sends it states with ``Observer/send(_:complete:)``. Each read of
  ///     `state` subscribes an observer that ends with its first state.
  public init(dispatch: @escaping Dispatch, subscribe: @escaping Subscribe) {
    self.init(
      address: nil,
      sink: ClosureSink(calling: dispatch),
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
        // Nothing can end the user's subscription: canceling only stops the observer.
        return Connection(nil, observer.control)
      }
    )
  }
}

/// A box that keeps the first value it receives.
final class FirstValue<Value: Sendable>: Sendable {
  private let taken = Protected(Value?.none)

  var value: Value? { taken.withLock { $0 } }

  func take(_ value: Value) {
    taken.withLock { taken in
      if taken == nil { taken = value }
    }
  }
}

extension Store {
  /// Makes the store of a whole node. The store keeps the address instead of the node, because the node may be opened
  /// later.
  @inlinable
  init(at address: NodeAddress, presences: [AttachmentHost.PresenceSource] = []) {
    self.init(
      address: address,
      sink: NodeSink(to: StateNode<State, Action>.self, at: address),
      read: { node in StateNode<State, Action>.of(node!).currentState() },
      connect: { observer, role in
        let store: Identity?
        switch role {
        case .observer(let identity): store = identity
        case .internalObserver: store = nil
        case .linked(let isEarly):
          let subscription = StateSubscription(observer, store: nil, address: address)
          subscription.isEarly = isEarly
          let isOpen = address.wait { node in
            // A child that was made in the running callback joins first, so that this step calls its early observers.
            if isEarly { address.tree.applyJoins() }
            Node.of(node).link(subscription)
          }
          return isOpen ? Connection(subscription, nil) : nil
        case .child(let child):
          let parentSubscription = StateSubscription(observer, store: nil, address: address)
          address.tree.join(child, by: parentSubscription, at: address)
          return Connection(nil, nil)
        }
        return address.subscribe(observer, store: store) { node in
          StateNode<State, Action>.of(node!).read()
        }
      },
      presences: presences
    )
  }

  /// The store's tree; nil if the store is closure-backed.
  package var tree: Tree? { address?.tree }

  /// Sends an action, and calls a closure after its step. Doesn't call the closure if the owner is gone.
  ///
  /// - Parameter tracker: Tracks the effects of the action; nil if no caller waits for them.
  /// - Returns: `true` if the action was accepted.
  package func dispatch(
    _ action: Action,
    trackedBy tracker: EffectTracker? = nil,
    then completion: @escaping @Sendable () -> Void
  ) -> Bool {
    sink.submit(.awaited(action, AwaitedStep(effects: tracker, completion: completion)))
  }

  /// The number of threads that run the tree's work or wait to run it.
  package var activeThreads: Int { address?.tree.activeThreads ?? 0 }

  /// The number of memory chunks of the tree's mailbox.
  package var chunkCount: Int { address?.tree.chunkCount ?? 0 }

  /// Calls the tree's attachments before a call that waited for the tree returns.
  @usableFromInline
  package func actAfterWait() {
    address?.tree.actAfterWait()
  }

  /// Notifies the executor that a task is about to suspend until accepted work has run.
  @usableFromInline
  func taskWaits() {
    address?.tree.taskWaits()
  }

  /// Submits an entry that is made with a completion, and resumes after its step and the deliveries for the main actor.
  ///
  /// - Returns: `true` if it was accepted.
  @usableFromInline
  package func submitAndWait(
    isolation: isolated (any Actor)? = #isolation,
    _ makeSubmission: (_ completion: @escaping @Sendable () -> Void) -> Submission<Action>
  ) async -> Bool {
    let isAccepted = await withCheckedContinuation { continuation in
      if sink.submit(makeSubmission { continuation.resume(returning: true) }) {
        taskWaits()
      } else {
        continuation.resume(returning: false)
      }
    }
    actAfterWait()
    return isAccepted
  }

  @usableFromInline
  package func reportUseAfterRelease() {
    address?.reportUseAfterRelease(by: identity, of: State.self)
  }

  /// Returns the state between two steps, without waiting for accepted actions; nil once the owner is gone or while the
  /// scope is nil.
  package func readBetweenSteps() -> State? {
    asStateSource.readBetweenSteps { true }
  }
}
