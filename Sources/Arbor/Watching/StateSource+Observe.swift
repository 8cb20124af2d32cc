internal import Dispatch

extension StateSource {
  /// Observes the states, together with their changes, as long as you keep the returned subscription.
  ///
  /// - The first state is the state after everything accepted before the call. You receive every state exactly once,
  ///   except for states that the delivery leaves out.
  /// - On the store's queue, the first state has been delivered when this method returns. For that, it waits like
  ///   ``StoreProtocol/state``. If the source combines several trees, it waits for one tree after the other.
  /// - It doesn't wait in a callback of any tree, without an initial state, or with another delivery. The first state
  ///   then arrives when its turn comes.
  /// - Cost: the subscription keeps the previous state; see ``Changes``. If the closure takes the state itself, the
  ///   subscription doesn't keep a state.
  /// - Parameters:
  ///   - initial: `true` to deliver the first state. If `false`, the first state still counts as delivered.
  ///   - duplicates: A comparison. A state is skipped if the comparison finds it equal to the last delivered state.
  ///   - delivery: The queue on which the closure is called, with every state or only the latest.
  ///   - body: Called with each delivered state, never twice at the same time.
  @_disfavoredOverload
  public func observe(
    initial: Bool = true,
    removeDuplicates duplicates: Equating<State>? = nil,
    on delivery: StoreDelivery = .storeQueue,
    _ body: @escaping @Sendable (_ changes: Changes<State>) -> Void
  ) -> StoreSubscription {
    let source = asStateSource
    return source.waitingForFirst(if: initial && delivery.isStoreQueue) {
      source.observe(Receiver(skipsFirst: !initial, keepsPrevious: true, body), duplicates, on: delivery)
    }
  }

  /// Observes the states as long as you keep the returned subscription.
  ///
  /// - It works like the overload whose closure takes ``Changes``, but doesn't keep a state. If a closure fits both
  ///   overloads, Swift chooses this one.
  /// - Parameters:
  ///   - initial: `true` to deliver the first state. If `false`, it still counts as delivered.
  ///   - duplicates: A comparison. A state is skipped if the comparison finds it equal to the last delivered state. If
  ///     nil, none is skipped.
  ///   - delivery: The queue on which the closure is called, with every state or only the latest.
  ///   - body: Called with each delivered state, never twice at the same time.
  @inlinable
  public func observe(
    initial: Bool = true,
    removeDuplicates duplicates: Equating<State>? = nil,
    on delivery: StoreDelivery = .storeQueue,
    _ body: @escaping @Sendable (_ state: State) -> Void
  ) -> StoreSubscription {
    let source = asStateSource
    return source.waitingForFirst(if: initial && delivery.isStoreQueue) {
      if initial, duplicates == nil, delivery.isStoreQueue, let subscription = source.observeEach(body) {
        return subscription
      }
      return source.observe(initial: initial, duplicates, on: delivery, body)
    }
  }

  /// Observes the latest state on the main actor, together with its changes, as long as you keep the subscription.
  ///
  /// - If you call it on the main actor, the first state has been delivered when it returns, so that a screen has no
  ///   empty first frame. It waits for that like the overload for the store's queue. It also performs other waiting
  ///   deliveries to the main actor. Elsewhere, it doesn't wait.
  /// - Otherwise it works like the overload for any queue.
  /// - Parameters:
  ///   - initial: `true` to deliver the first state. If `false`, it still counts as delivered.
  ///   - duplicates: A comparison. A state is skipped if the comparison finds it equal to the last delivered state. If
  ///     nil, none is skipped.
  ///   - delivery: The delivery on the main actor, which determines how often the closure is called; see
  ///     ``MainDelivery``.
  ///   - body: Called on the main actor with each delivered state.
  @_disfavoredOverload
  public func observe(
    initial: Bool = true,
    removeDuplicates duplicates: Equating<State>? = nil,
    on delivery: MainDelivery,
    _ body: @escaping @MainActor @Sendable (_ changes: Changes<State>) -> Void
  ) -> StoreSubscription {
    let receiver = Receiver(skipsFirst: !initial, keepsPrevious: true) { changes in
      MainDeliveries.call { body(changes) }
    }
    return asStateSource.observeOnMain(receiver, duplicates, pace: delivery.pace)
  }

  /// Observes the latest state on the main actor as long as you keep the subscription.
  ///
  /// - It works like the overload whose closure takes ``Changes``, but doesn't keep a state.
  /// - Parameters:
  ///   - initial: `true` to deliver the first state. If `false`, it still counts as delivered.
  ///   - duplicates: A comparison. A state is skipped if the comparison finds it equal to the last delivered state. If
  ///     nil, none is skipped.
  ///   - delivery: The delivery on the main actor, which determines how often the closure is called; see
  ///     ``MainDelivery``.
  ///   - body: Called on the main actor with each delivered state.
  public func observe(
    initial: Bool = true,
    removeDuplicates duplicates: Equating<State>? = nil,
    on delivery: MainDelivery,
    _ body: @escaping @MainActor @Sendable (_ state: State) -> Void
  ) -> StoreSubscription {
    let receiver = Receiver(skipsFirst: !initial, keepsPrevious: false) { changes in
      MainDeliveries.call { body(changes.current) }
    }
    return asStateSource.observeOnMain(receiver, duplicates, pace: delivery.pace)
  }
}

extension AnyStateSource {
  /// Subscribes with a closure, and waits until the new observer has received the first state.
  ///
  /// - In a callback of any tree it doesn't wait, because two trees could wait on each other.
  /// - It waits for the trees of a combined source one after the other, before the subscription. So the first state
  ///   includes everything that they have accepted.
  /// - Parameter isWanted: `false` to never wait.
  @usableFromInline
  package func waitingForFirst(if isWanted: Bool, _ subscribe: () -> StoreSubscription) -> StoreSubscription {
    guard isWanted, let address, address.isOpen, !address.tree.isInsideAny else { return subscribe() }
    for tree in inputTrees { tree.wait(for: "observe") {} }
    let subscription = subscribe()
    _ = address.wait(for: "observe") { _ in }
    return subscription
  }

  /// Observes each state on the store's queue. Returns nil if the source doesn't belong to a tree.
  ///
  /// - This is the fast path: without a duplicate check and without another queue, it only allocates the subscription.
  @inlinable
  func observeEach(_ body: @escaping @Sendable (State) -> Void) -> StoreSubscription? {
    guard address != nil else { return nil }
    return observe(
      Observer { state in
        body(state)
        return .active
      }
    )
  }

  /// Observes with a closure that is called according to a delivery.
  @usableFromInline
  func observe(
    initial: Bool,
    _ duplicates: Equating<State>?,
    on delivery: StoreDelivery,
    _ body: @escaping @Sendable (State) -> Void
  ) -> StoreSubscription {
    observe(Receiver(skipsFirst: !initial, keepsPrevious: false) { body($0.current) }, duplicates, on: delivery)
  }

  /// Observes with a receiver that is called according to a delivery.
  func observe(
    _ receiver: Receiver<State>,
    _ duplicates: Equating<State>?,
    on delivery: StoreDelivery
  ) -> StoreSubscription {
    let isDuplicate = duplicates?.makeDuplicateCheck()
    switch delivery.form {
    case .storeQueue:
      return observe(receiver, isDuplicate) { state in receiver.deliver(state) }
    case .each(let queue):
      let own = DispatchQueue(label: "Arbor.delivery", target: queue)
      let tree = tree
      // Captures the address, not `self`: only the subscription retains the object that the source keeps alive.
      return observe(receiver, isDuplicate) { [address = isConstant ? nil : address] state in
        let isMoment = tree.showsMoment
        tree.deliver(on: own) {
          guard address?.isOpen != false else { return }
          tree.callObserver(showingMoment: isMoment) { receiver.deliver(state) }
        }
      }
    case .latest(let queue, let pace):
      let own = DispatchQueue(label: "Arbor.delivery", target: queue)
      let latest = LatestDelivery(to: receiver, isDuplicate, from: self, on: own, pace: pace)
      return observe(latest.observer)
    }
  }

  /// Observes the latest state with a receiver that is called on the main actor. If the caller is on the main actor,
  /// the receiver has received the first state when this returns.
  func observeOnMain(
    _ receiver: Receiver<State>,
    _ duplicates: Equating<State>?,
    pace: DeliveryPace
  ) -> StoreSubscription {
    let latest = LatestDelivery(
      to: receiver,
      duplicates?.makeDuplicateCheck(),
      from: self,
      on: .main,
      isMain: true,
      pace: pace
    )
    let isFirstWanted = !receiver.control.mayStillSkip && MainDeliveries.isOnMain
    let subscription = waitingForFirst(if: isFirstWanted) { observe(latest.observer) }
    if isFirstWanted { latest.deliverNowOnMain() }
    return subscription
  }

  /// Subscribes, and returns a stream of the states that a closure chooses.
  ///
  /// - Parameter choose: Returns the state for the stream, and if more states may follow; nil leaves a state out.
  ///   Called on the store's queue.
  func stream(
    _ buffering: StateBuffering,
    _ choose: @escaping @Sendable (State) -> (State, ObserverStatus)?
  ) -> AsyncStream<State> {
    let (stream, continuation) = AsyncStream<State>.makeStream(bufferingPolicy: buffering.policy(for: State.self))
    let end = StreamEnd(continuation)
    let connection = subscribe(
      Observer { state in
        guard let (chosen, status) = choose(state) else { return end.isOver ? .dead : .active }
        return end.yield(chosen) ? status : .dead
      }
    )
    continuation.onTermination = { [kept, weak end] _ in
      end?.finish()
      connection?.end()
      withExtendedLifetime(kept) {}
    }
    return stream
  }

  private func observe(
    _ receiver: Receiver<State>,
    _ isDuplicate: DuplicateCheck<State>?,
    _ take: @escaping @Sendable (State) -> Void
  ) -> StoreSubscription {
    let form = Observer<State>.Form.returning { state in
      if let isDuplicate, isDuplicate(state) { return receiver.control.isCancelled ? .dead : .active }
      if !receiver.consumeInitialSkip(state) { take(state) }
      return receiver.control.isCancelled ? .dead : .active
    }
    return observe(Observer(form: form, control: receiver.control))
  }

  /// Observes with an observer whose ``ObserverControl``, if it has one, is notified of the cancellation.
  ///
  /// - Doesn't wait for the first call.
  @inlinable
  package func observe(_ observer: Observer<State>) -> StoreSubscription {
    StoreSubscription(to: subscribe(observer), keeping: kept, isOfConstant: isConstant)
  }
}

/// An object that finishes a stream when the observer that feeds the stream is released.
final class StreamEnd<Element: Sendable>: Sendable {
  private let continuation: AsyncStream<Element>.Continuation
  private let over = AtomicFlag(false)

  init(_ continuation: AsyncStream<Element>.Continuation) {
    self.continuation = continuation
  }

  /// `true` after the stream's consumer is gone.
  var isOver: Bool { over.load() }

  /// Adds an element to the stream.
  ///
  /// - Returns: `false` if the stream was terminated, so that no consumer can take the element.
  func yield(_ element: Element) -> Bool {
    if case .terminated = continuation.yield(element) { return false }
    return true
  }

  /// Records that the consumer is gone. The stream itself finishes when this object is released.
  func finish() {
    over.store(true)
  }

  deinit {
    continuation.finish()
  }
}
