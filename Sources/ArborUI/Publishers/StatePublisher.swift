#if canImport(Combine)
  public import Arbor
  public import Combine

  extension StateSource {
    /// The states as a publisher, from the current one on.
    ///
    /// ```swift
    /// let cancellable = store.publisher
    ///   .map(\.count)
    ///   .removeDuplicates()
    ///   .sink { count in print(count) }
    /// ```
    ///
    /// - See ``StatePublisher`` for what it publishes, and where.
    public var publisher: StatePublisher<State> { StatePublisher(source: asStateSource) }
  }

  /// A publisher of the states of a store or a derived value.
  ///
  /// - Order: the first state is the one after everything that was accepted before the subscription. Then comes the
  ///   state after each step, once. An older state never follows a newer one. While the value of a scope made by
  ///   `scope(toOptional:)` is nil, nothing is published.
  /// - Demand: if it is unlimited, no state is left out. A state that comes without demand is left out and not kept: when
  ///   there is demand again, the subscriber gets the state after everything that was accepted before the demand.
  /// - Queue: states come on the store's queue, for a later demand as well; `receive(on:)` brings them elsewhere. The
  ///   subscription waits for the first state as `observe` does, and like that not in a callback of a tree.
  /// - Inside `receive` a subscriber may dispatch, cancel and request. Nothing recurses. Like an observer it must not
  ///   wait for its own tree there.
  /// - Completion: it finishes when the owner is released, behind what was accepted before; without a state if the
  ///   owner is gone already. That call is made outside every tree's queue, on the thread that releases the observers. A
  ///   constant value never finishes.
  /// - Cancelling: from any thread, any number of times. On the store's queue no call follows; elsewhere at most the one
  ///   that was already about to begin. The subscriber and the source are let go of.
  /// - A `Derived` value is kept alive by the publisher, and by each subscription until it finishes or is cancelled. Of
  ///   a store no state and no owner is kept alive.
  /// - Cost: that of an observer, and a lock taken twice a state. No state is kept.
  /// - A closure-backed store is read anew for a later demand, on the thread of the demand.
  public struct StatePublisher<State: Sendable>: Publisher, Sendable {
    /// The type of the published states.
    public typealias Output = State

    /// The type of errors: none.
    public typealias Failure = Never

    let source: AnyStateSource<State>

    /// Subscribes a subscriber.
    public func receive(subscriber: some Subscriber<State, Never>) {
      let subscription = PublisherSubscription(of: subscriber, to: source)
      subscription.start { [source] body in source.observe(body) }
    }
  }
#endif
