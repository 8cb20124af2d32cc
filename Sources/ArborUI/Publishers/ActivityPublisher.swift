#if canImport(Combine)
  public import Arbor
  public import Combine

  extension StoreProtocol {
    /// Returns a publisher of the activities of a type that are emitted at this store's node or below.
    ///
    /// ```swift
    /// let cancellable = store.publisher(activities: Saved.self).sink { saved in print(saved.name) }
    /// ```
    ///
    /// - See ``ActivityPublisher`` for the order, the queue and the end of its activities.
    /// - Parameter type: The exact type of the activities.
    public func publisher<Activity: Sendable>(activities type: Activity.Type) -> ActivityPublisher<Activity> {
      let store = asStore
      return ActivityPublisher { body in store.observe(activities: type, body) }
    }
  }

  /// A publisher of the activities of one type.
  ///
  /// - Order: it publishes each activity emitted after the subscription once, in order with the states.
  /// - Demand: with unlimited demand, no activity is skipped. An activity that arrives without demand is dropped, as a
  ///   `PassthroughSubject` drops its values; `buffer(size:prefetch:whenFull:)` keeps it.
  /// - Queue: activities arrive on the store's queue; use `receive(on:)` to move them elsewhere.
  /// - Inside `receive`, a subscriber may emit, dispatch, cancel and request. Nothing recurses. Like an observer, it
  ///   must not wait for its own tree there.
  /// - Completion: it finishes when the owner is released; activities that are still waiting are dropped. It finishes
  ///   immediately if the owner is already gone, or if the store is closure-backed and so has no activities. The
  ///   completion is called outside every tree's queue, on the thread that releases the observers.
  /// - Canceling and cost: the same as for ``StatePublisher``. It keeps no owner alive.
  public struct ActivityPublisher<Activity: Sendable>: Publisher, Sendable {
    /// The type of the published activities.
    public typealias Output = Activity

    /// The type of errors: none.
    public typealias Failure = Never

    let observe: @Sendable (_ body: @escaping @Sendable (Activity) -> Void) -> StoreSubscription

    /// Subscribes a subscriber.
    ///
    /// - Parameter subscriber: The subscriber.
    public func receive(subscriber: some Subscriber<Activity, Never>) {
      PublisherSubscription(of: subscriber, to: nil).start(observe)
    }
  }
#endif
