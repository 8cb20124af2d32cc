extension StateSource {
  /// Observes the states with what changed in each, for as long as the subscription that is returned is kept.
  ///
  /// - The first state is the one after all that was accepted before the call; none is missed and none comes twice, but
  ///   for what the delivery leaves out.
  /// - Cost: this keeps the previous state, see ``Changes``. A closure that takes the state itself keeps none.
  /// - Parameters:
  ///   - initial: Whether the first state is delivered. If not, it counts as delivered all the same.
  ///   - duplicates: How to tell a state that need not be delivered, because it is the one that was delivered last.
  ///   - delivery: Where the closure is called, and whether with each state.
  ///   - body: Called with each state that is delivered, never twice at the same time.
  @_disfavoredOverload
  public func observe(
    initial: Bool = true,
    removeDuplicates duplicates: Equating<State>? = nil,
    on delivery: StoreDelivery = .storeQueue,
    _ body: @escaping @Sendable (_ changes: Changes<State>) -> Void
  ) -> StoreSubscription {
    asStateSource.observe(Receiver(skipsFirst: !initial, keepsPrevious: true, body), duplicates, on: delivery)
  }

  /// Observes the states, for as long as the subscription that is returned is kept.
  ///
  /// - As the form whose closure takes ``Changes``, but keeps no state. Where a closure could be either, it is this one.
  @inlinable
  public func observe(
    initial: Bool = true,
    removeDuplicates duplicates: Equating<State>? = nil,
    on delivery: StoreDelivery = .storeQueue,
    _ body: @escaping @Sendable (_ state: State) -> Void
  ) -> StoreSubscription {
    let source = asStateSource
    if initial, duplicates == nil, delivery.isOfEachOnStoreQueue, let subscription = source.observeEach(body) {
      return subscription
    }
    return source.observe(initial: initial, duplicates, on: delivery, body)
  }

  /// Observes the latest state on the main actor, with what changed, for as long as the subscription is kept.
  ///
  /// - In all else as the form for any queue.
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
    return asStateSource.observeOnMain(receiver, duplicates, interval: delivery.interval)
  }

  /// Observes the latest state on the main actor, for as long as the subscription is kept.
  ///
  /// - As the form whose closure takes ``Changes``, but keeps no state.
  public func observe(
    initial: Bool = true,
    removeDuplicates duplicates: Equating<State>? = nil,
    on delivery: MainDelivery,
    _ body: @escaping @MainActor @Sendable (_ state: State) -> Void
  ) -> StoreSubscription {
    let receiver = Receiver(skipsFirst: !initial, keepsPrevious: false) { changes in
      MainDeliveries.call { body(changes.current) }
    }
    return asStateSource.observeOnMain(receiver, duplicates, interval: delivery.interval)
  }
}
