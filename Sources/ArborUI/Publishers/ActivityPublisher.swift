#if canImport(Combine)
  public import Arbor
  public import Combine

  extension StoreProtocol {
    /// The activities of a type that are emitted at this store's node or below, as a publisher.
    ///
    /// ```swift
    /// let cancellable = store.publisher(activities: Saved.self).sink { saved in print(saved.name) }
    /// ```
    ///
    /// - See ``ActivityPublisher`` for what it publishes, and where.
    /// - Parameter type: The type of the activities: exactly this one.
    public func publisher<Activity: Sendable>(activities type: Activity.Type) -> ActivityPublisher<Activity> {
      let store = asStore
      return ActivityPublisher { body in store.observe(activities: type, body) }
    }
  }

  /// A publisher of the activities of one type.
  ///
  /// - Order: each activity that is emitted after the subscription, once, in order with the states.
  /// - Demand: if it is unlimited, no activity is left out. An activity that comes without demand is dropped, as a
  ///   `PassthroughSubject` drops its values; `buffer(size:prefetch:whenFull:)` keeps it.
  /// - Queue: activities come on the store's queue; `receive(on:)` brings them elsewhere.
  /// - Inside `receive` a subscriber may emit, dispatch, cancel and request. Nothing recurses. Like an observer it must
  ///   not wait for its own tree there.
  /// - Completion: it finishes when the owner is released; activities that still wait then are dropped. At once if the
  ///   owner is gone already, or if the store is closure-backed and so has no activities. That call is made outside every
  ///   tree's queue, on the thread that releases the observers.
  /// - Cancelling and cost are as with ``StatePublisher``. No owner is kept alive.
  public struct ActivityPublisher<Activity: Sendable>: Publisher, Sendable {
    /// The type of the published activities.
    public typealias Output = Activity

    /// The type of errors: none.
    public typealias Failure = Never

    let observe: @Sendable (_ body: @escaping @Sendable (Activity) -> Void) -> StoreSubscription

    /// Subscribes a subscriber.
    public func receive(subscriber: some Subscriber<Activity, Never>) {
      PublisherSubscription(of: subscriber, to: nil).start(observe)
    }
  }
#endif
