#if canImport(Combine)
  public import Arbor
  public import Combine

  extension StateSource {
    /// A publisher of the states, starting with the current one.
    ///
    /// ```swift
    /// let cancellable = store.publisher
    ///   .map(\.count)
    ///   .removeDuplicates()
    ///   .sink { count in print(count) }
    /// ```
    ///
    /// - See ``StatePublisher`` for the order, the queue and the end of its states.
    public var publisher: StatePublisher<State> { StatePublisher(source: asStateSource) }
  }

  /// A publisher of the states of a store or a derived value.
  ///
  /// - Order: the first state includes everything that was accepted before the subscription. Then it publishes the
  ///   state after each step, once. An older state never follows a newer one. While the value of a scope made by
  ///   `scope(toOptional:)` is nil, nothing is published.
  /// - Demand: with unlimited demand, no state is skipped. A state that arrives without demand is skipped and not kept.
  ///   When there is demand again, the subscriber receives the state after everything that was accepted before the
  ///   demand.
  /// - Queue: states arrive on the store's queue, even for a later demand; use `receive(on:)` to move them elsewhere.
  ///   Like `observe`, the subscription waits for the first state, except in a callback of a tree.
  /// - Inside `receive`, a subscriber may dispatch, cancel and request. Nothing recurses. Like an observer, it must not
  ///   wait for its own tree there.
  /// - Completion: it finishes when the owner is released, after everything that was accepted before. If the owner is
  ///   already gone, it finishes without a state. The completion is called outside every tree's queue, on the thread
  ///   that releases the observers. A constant value never finishes.
  /// - Canceling: allowed from any thread, any number of times. If you cancel on the store's queue, no call follows;
  ///   elsewhere, at most the call that was about to begin. The subscriber and the source are released.
  /// - The publisher keeps a `Derived` value alive, and so does each subscription until it finishes or is canceled. It
  ///   keeps no state and no owner of a store alive.
  /// - Cost: one observer, and a lock taken twice per state. No state is kept.
  /// - A closure-backed store is read again for a later demand, on the thread of the demand.
  public struct StatePublisher<State: Sendable>: Publisher, Sendable {
    /// The type of the published states.
    public typealias Output = State

    /// The type of errors: none.
    public typealias Failure = Never

    let source: AnyStateSource<State>

    /// Subscribes a subscriber.
    ///
    /// - Parameter subscriber: The subscriber.
    public func receive(subscriber: some Subscriber<State, Never>) {
      let subscription = PublisherSubscription(of: subscriber, to: source)
      subscription.start { [source] body in source.observe(body) }
    }
  }
#endif
