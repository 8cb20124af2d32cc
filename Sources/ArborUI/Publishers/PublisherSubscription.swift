#if canImport(Combine)
  internal import Arbor
  internal import Combine

  /// The subscription of one subscriber to the states of a source, or to activities.
  ///
  /// - Any thread may use it. ``DemandedCalls`` decides which calls to make; this class makes them, outside the lock.
  final class PublisherSubscription<Value: Sendable>: Subscription, Sendable {
    private typealias Effect = DemandedCalls<Value>.Effect

    /// Both ends of the subscription, as one object, so that it can be released later.
    private final class Ends: @unchecked Sendable {  // The subscriber is called by one thread at a time.
      let subscriber: any Subscriber<Value, Never>

      /// The source from which the newest state is read; nil for activities, which are not repeated.
      let source: AnyStateSource<Value>?

      init(_ subscriber: any Subscriber<Value, Never>, _ source: AnyStateSource<Value>?) {
        self.subscriber = subscriber
        self.source = source
      }
    }

    /// An object that only the observer's closure retains: when it is released, the source is gone.
    private final class SourceEnd: Sendable {
      private let subscription: PublisherSubscription

      init(of subscription: PublisherSubscription) {
        self.subscription = subscription
      }

      func send(_ value: Value) {
        withExtendedLifetime(self) { subscription.handle { $0.send(value) } }
      }

      deinit {
        subscription.handle { $0.sourceIsGone() }
      }
    }

    /// Everything that the subscription holds until it is canceled or finishes.
    private struct Content: Sendable {
      var calls = DemandedCalls<Value>()
      let ends: Ends

      /// The observation of the source, which lasts until it is released; nil before it has begun.
      var observation: StoreSubscription?
    }

    /// Nil once the subscription is over.
    private let content: Protected<Content?>

    /// - Parameter source: The source of the states; nil for activities.
    init(of subscriber: some Subscriber<Value, Never>, to source: AnyStateSource<Value>?) {
      content = Protected(Content(ends: Ends(subscriber, source)))
    }

    /// Passes the subscription to the subscriber, then observes the source. Call it once.
    ///
    /// - Parameter observe: Begins the observation. If the source is gone, it releases the closure that it is given.
    func start(_ observe: (_ body: @escaping @Sendable (Value) -> Void) -> StoreSubscription) {
      content.withLock { $0?.ends }?.subscriber.receive(subscription: self)
      // The subscriber may have canceled immediately.
      guard !isOver else { return }
      let end = SourceEnd(of: self)
      let observation = observe { value in end.send(value) }
      // If the subscription is over by now, the observation is released here, and so it ends.
      content.withLock { $0?.observation = observation }
    }

    func request(_ demand: Subscribers.Demand) {
      handle { $0.request(demand.max) }
    }

    func cancel() {
      // Released outside the lock. This also ends the observation.
      guard let content = content.withLock({ $0.take() }) else { return }
      // In a callback of a tree, the subscriber is released after the thread has left the queue, like an observer.
      Tree.releaseLater(content.ends)
    }

    private var isOver: Bool { content.withLock { $0 == nil } }

    /// Reports an event, and runs the resulting effects.
    private func handle(_ event: (inout DemandedCalls<Value>) -> Effect?) {
      let first = content.withLock { content -> (effect: Effect, ends: Ends)? in
        guard let ends = content?.ends, let effect = event(&content!.calls) else { return nil }
        return (effect, ends)
      }
      guard let first else { return }
      perform(first.effect, between: first.ends)
      // If it was canceled meanwhile, this may be the last reference.
      if isOver { Tree.releaseLater(first.ends) }
    }

    private func perform(_ first: Effect, between ends: Ends) {
      var next = Optional(first)
      while let effect = next.take() {
        switch effect {
        case .receive(let value):
          let count = ends.subscriber.receive(value).max
          next = content.withLock { $0?.calls.didReceive(requesting: count) }
        case .readNewest:
          readNewest(of: ends.source)
        case .finish:
          // Releases everything else, and does not call the subscriber.
          cancel()
          ends.subscriber.receive(completion: .finished)
        }
      }
    }

    /// Reads the newest state in its turn on the store's queue, without waiting for it.
    private func readNewest(of source: AnyStateSource<Value>?) {
      let observer = Observer<Value> { [weak self] state in
        self?.handle { $0.didRead(state) }
        return .dead
      }
      // It ends itself, so nothing needs to keep it.
      source?.observe(observer).storeWhileSourceActive()
    }
  }
#endif
