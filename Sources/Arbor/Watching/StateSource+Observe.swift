extension StateSource {
  /// Observes the states, together with their changes, as long as the returned subscription is kept.
  ///
  /// - The first state is the one after everything that was accepted before the call. No state is missed and none comes
  ///   twice, except for those that the delivery leaves out.
  /// - Cost: the subscription keeps the previous state, see ``Changes``. With a closure that takes the state itself it
  ///   keeps no state.
  /// - Parameters:
  ///   - initial: `true` if the first state is delivered; if `false`, the first state counts as delivered all the same.
  ///   - duplicates: A comparison; a state that is equal, by this comparison, to the last delivered state is skipped.
  ///   - delivery: The queue on which the closure is called, and whether it gets every state or only the latest.
  ///   - body: Called with each delivered state, never twice at the same time.
  @_disfavoredOverload
  public func observe(
    initial: Bool = true,
    removeDuplicates duplicates: Equating<State>? = nil,
    on delivery: StoreDelivery = .storeQueue,
    _ body: @escaping @Sendable (_ changes: Changes<State>) -> Void
  ) -> StoreSubscription {
    asStateSource.observe(Receiver(skipsFirst: !initial, keepsPrevious: true, body), duplicates, on: delivery)
  }

  /// Observes the states as long as the returned subscription is kept.
  ///
  /// - Like the overload whose closure takes ``Changes``, but it keeps no state. If a closure fits both overloads, this
  ///   one is called.
  @inlinable
  public func observe(
    initial: Bool = true,
    removeDuplicates duplicates: Equating<State>? = nil,
    on delivery: StoreDelivery = .storeQueue,
    _ body: @escaping @Sendable (_ state: State) -> Void
  ) -> StoreSubscription {
    let source = asStateSource
    if initial, duplicates == nil, delivery.isStoreQueue, let subscription = source.observeEach(body) {
      return subscription
    }
    return source.observe(initial: initial, duplicates, on: delivery, body)
  }

  /// Observes the latest state on the main actor, together with its changes, as long as the subscription is kept.
  ///
  /// - Otherwise like the overload for any queue.
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

  /// Observes the latest state on the main actor as long as the subscription is kept.
  ///
  /// - Like the overload whose closure takes ``Changes``, but it keeps no state.
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
