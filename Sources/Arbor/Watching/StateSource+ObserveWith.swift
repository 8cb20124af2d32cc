extension StateSource {
  /// Observes the states for as long as an object lives, with the object.
  ///
  /// ```swift
  /// store.observe(with: screen, removeDuplicates: .by(\.title)) { screen, state in screen.show(state.title) }
  /// ```
  ///
  /// - The object is kept weakly: once it is gone, the closure is not called any more, and the next state releases it.
  /// - The subscription need not be kept; ``StoreSubscription/cancel()`` ends it earlier.
  /// - Otherwise like the overload without an object; it keeps no state.
  /// - Parameters:
  ///   - object: The object; a delivery that has begun keeps it until its end, on the store's queue until the thread has
  ///     left that: its `deinit` never runs inside a step, and may wait for the store.
  ///   - initial: `true` to be called with the state as it is now.
  ///   - duplicates: Finds states equal for which the closure is not called again.
  ///   - delivery: The place where the closure is called.
  ///   - body: Called with the object and each state.
  @discardableResult
  public func observe<Object: AnyObject & Sendable>(
    with object: Object,
    initial: Bool = true,
    removeDuplicates duplicates: Equating<State>? = nil,
    on delivery: StoreDelivery = .storeQueue,
    _ body: @escaping @Sendable (_ object: Object, _ state: State) -> Void
  ) -> StoreSubscription {
    let source = asStateSource
    let receiver = Receiver<State>(skipsFirst: !initial, keepsPrevious: false, livingWith: object) { [weak object] in
      if let object { body(object, $0.current) }
    }
    let subscription = source.waitingForFirst(if: initial && delivery.isStoreQueue) {
      source.observe(receiver, duplicates, on: delivery)
    }
    subscription.storeWhileSourceActive()
    return subscription
  }

  /// Observes the latest state on the main actor for as long as an object lives, with the object.
  ///
  /// - Like the overload for any queue, and otherwise like the one for the main actor without an object.
  /// - Parameters:
  ///   - object: The object; a delivery that has begun keeps it until its end.
  ///   - initial: `true` if the first state is delivered; if `false`, it counts as delivered all the same.
  ///   - duplicates: A comparison; a state that is equal, by this comparison, to the last delivered state is skipped.
  ///     With nil none is skipped.
  ///   - delivery: The delivery on the main actor, which says how often the closure is called; see ``MainDelivery``.
  ///   - body: Called on the main actor with the object and each delivered state.
  @discardableResult
  public func observe<Object: AnyObject & Sendable>(
    with object: Object,
    initial: Bool = true,
    removeDuplicates duplicates: Equating<State>? = nil,
    on delivery: MainDelivery,
    _ body: @escaping @MainActor @Sendable (_ object: Object, _ state: State) -> Void
  ) -> StoreSubscription {
    let receiver = Receiver<State>(skipsFirst: !initial, keepsPrevious: false, livingWith: object) {
      [weak object] changes in
      if let object { MainDeliveries.call { body(object, changes.current) } }
    }
    let subscription = asStateSource.observeOnMain(receiver, duplicates, pace: delivery.pace)
    subscription.storeWhileSourceActive()
    return subscription
  }
}

extension AnyStateSource {
  /// Follows the source on the main actor, from now on.
  ///
  /// - Waits for everything accepted before, like ``StoreProtocol/state``, but not in a callback of a tree: there the
  ///   first state is delivered later.
  /// - Delivers nothing before it returns, because a view that is being updated must not be told of a change.
  /// - Parameters:
  ///   - duplicates: A comparison; a state that is equal, by this comparison, to the one before is not delivered.
  ///   - update: Receives a state, and the moment that it shows; nil for the present.
  /// - Returns: The subscription, and the state that no delivery will bring, with the moment that it shows; nil if the
  ///   first delivery brings it.
  @MainActor
  package func followOnMain(
    removeDuplicates duplicates: Equating<State>? = nil,
    _ update: @escaping @MainActor @Sendable (_ state: State, _ moment: ShownMoment?) -> Void
  ) -> (subscription: StoreSubscription, latest: (state: State, moment: ShownMoment?)?) {
    let receive: @MainActor @Sendable (State) -> Void = { [tree] state in update(state, tree.momentOfObserver) }
    guard !tree.isInsideAny else { return (observe(removeDuplicates: duplicates, on: .main, receive), nil) }
    let subscription = waitingForFirst(if: true) {
      observe(initial: false, removeDuplicates: duplicates, on: .main, receive)
    }
    // After the subscription: a step between the two is in the state, or is delivered, or both.
    let showsMoment = AtomicFlag(false)
    let latest = readBetweenSteps { [tree] in
      showsMoment.store(tree.showsMoment)
      return true
    }
    return (subscription, latest.map { ($0, showsMoment.load() ? tree.moment : nil) })
  }
}
