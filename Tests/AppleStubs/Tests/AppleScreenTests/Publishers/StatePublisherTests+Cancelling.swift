import Arbor
import ArborTesting
import ArborUI
import Combine
import TestSupport
import Testing

extension StatePublisherTests {
  @Test func `after a cancellation nothing arrives, not even the completion`() {
    var factory: StoreFactory<Counter, CounterAction>? = .counter(on: executor)
    let subscriber = TestSubscriber<Counter>(requesting: nil)
    factory?.publisher.subscribe(subscriber)
    subscriber.cancel()
    subscriber.cancel()
    factory?.dispatch(.add(1))
    executor.run()
    factory = nil
    #expect(subscriber.values.map(\.count) == [0])
    #expect(subscriber.completions == 0)
  }

  @Test func `a subscription canceled when it is passed to the subscriber does not observe`() {
    let factory = StoreFactory.counter(on: executor)
    let projections = Log<Int>()
    let publisher = factory.scopeStore { state -> Int in
      projections.append(state.count)
      return state.count
    }
    .publisher
    let values = Log<Int>()
    publisher.subscribe(
      AnySubscriber(
        receiveSubscription: { subscription in
          subscription.request(.unlimited)
          subscription.cancel()
        },
        receiveValue: { value in
          values.append(value)
          return .none
        }
      )
    )
    factory.dispatch(.add(1))
    executor.run()
    #expect(values.entries.isEmpty)
    #expect(projections.entries.isEmpty)
  }

  @Test func `if canceled inside receive, no call follows, at the first state and later`() {
    let factory = StoreFactory.counter(on: executor)
    let first = TestSubscriber<Counter>(requesting: nil) { _, subscriber in
      subscriber.cancel()
      subscriber.cancel()
      return nil
    }
    let later = TestSubscriber<Counter>(requesting: nil) { state, subscriber in
      if state.count == 1 { subscriber.cancel() }
      return 1
    }
    factory.publisher.subscribe(first)
    factory.publisher.subscribe(later)
    for _ in 1...3 { factory.dispatch(.add(1)) }
    executor.run()
    #expect(first.values.map(\.count) == [0])
    #expect(later.values.map(\.count) == [0, 1])
  }

  @Test func `if canceled at the first state, its observer is released, even if the subscription is kept`() {
    let factory = StoreFactory.counter(on: executor)
    let projections = Log<Int>()
    let store = factory.scopeStore { state -> Int in
      projections.append(state.count)
      return state.count
    }
    let subscriber = TestSubscriber<Int>(requesting: nil) { _, subscriber in
      subscriber.cancel()
      return 0
    }
    store.publisher.subscribe(subscriber)
    factory.dispatch(.add(1))
    executor.run()
    #expect(projections.entries == [0])
    #expect(subscriber.subscription != nil)
  }

  @Test func `if canceled in another callback of the same step, it is skipped`() {
    let factory = StoreFactory.counter(on: executor)
    let second = TestSubscriber<Counter>(requesting: nil)
    let first = TestSubscriber<Counter>(requesting: nil) { state, _ in
      if state.count == 1 { second.cancel() }
      return 0
    }
    factory.publisher.subscribe(first)
    factory.publisher.subscribe(second)
    factory.dispatch(.add(1))
    executor.run()
    #expect(second.values.map(\.count) == [0])
  }

  @Test func `if canceled while the newest state is being read, it receives none`() {
    let factory = StoreFactory.counter(on: executor)
    let subscriber = TestSubscriber<Counter>(requesting: 0)
    factory.publisher.subscribe(subscriber)
    factory.dispatch(.add(1))
    executor.run()
    subscriber.request(1)
    subscriber.cancel()
    executor.run()
    #expect(subscriber.values.isEmpty)
  }

  @Test func `a canceled subscription releases the subscriber, itself and the observer's closure`() {
    let factory = StoreFactory.counter(on: executor)
    weak var captured: Object?
    weak var subscription: AnyObject?
    do {
      let object = Object()
      captured = object
      let subscriber = TestSubscriber<Counter>(requesting: nil) { _, _ in withExtendedLifetime(object) { 0 } }
      factory.publisher.subscribe(subscriber)
      subscription = subscriber.subscription as AnyObject
      #expect(subscription != nil)
      subscriber.cancel()
    }
    #expect(captured == nil)
    #expect(subscription == nil)
  }

  @Test func `a subscription kept after its cancellation keeps neither subscriber nor derived value`() {
    let factory = StoreFactory.counter(on: executor)
    weak var captured: Object?
    weak var derived: Derived<Int>?
    var cancellable: AnyCancellable?
    do {
      let (object, count) = (Object(), factory.derived(\.count))
      (captured, derived) = (object, count)
      cancellable = count.publisher.sink { _ in withExtendedLifetime(object) {} }
    }
    #expect(captured != nil && derived != nil)
    cancellable?.cancel()
    #expect(captured == nil)
    #expect(derived == nil)
    withExtendedLifetime(cancellable) {}
  }

  /// The place where a subscription is canceled while its store's queue runs.
  enum Place: CaseIterable, Sendable {
    case ownCall
    case otherCallback
    case otherThread
  }

  @Test(arguments: Place.allCases)
  func `if canceled while the queue runs, the subscriber is released outside it`(place: Place) {
    let factory = StoreFactory.counter()
    let store = factory.rootStore()
    let released = Log<Int>()
    let subscriptions = Log<Held>()
    let cancel: @Sendable (Counter) -> Void = { state in
      if state.count == 1 { for held in subscriptions.takeAll() { held.subscription.cancel() } }
    }
    do {
      // Waiting inside a callback would stop the program.
      let ending = Ending {
        store.dispatchAndWait(.add(10))
        released.append(1)
      }
      let subscriber = TestSubscriber<Counter>(requesting: nil) { state, _ in
        withExtendedLifetime(ending) {
          switch place {
          case .ownCall: cancel(state)
          case .otherCallback: break
          case .otherThread: TestThread { cancel(state) }.join()
          }
          return 0
        }
      }
      factory.publisher.subscribe(subscriber)
      if let subscription = subscriber.subscription { subscriptions.append(Held(subscription: subscription)) }
    }
    let other = factory.publisher.sink { if place == .otherCallback { cancel($0) } }
    #expect(released.entries.isEmpty)
    factory.dispatchAndWait(.add(1))
    #expect(released.entries == [1])
    #expect(factory.state.count == 11)
    other.cancel()
  }

  @Test func `if canceled on another thread during a call, that call is the last one`() {
    let factory = StoreFactory.counter()
    let subscriber = TestSubscriber<Counter>(requesting: nil) { state, subscriber in
      if state.count == 1 { TestThread { subscriber.cancel() }.join() }
      return 1
    }
    factory.publisher.subscribe(subscriber)
    for _ in 1...3 { factory.dispatchAndWait(.add(1)) }
    #expect(subscriber.values.map(\.count) == [0, 1])
  }

  /// A subscription that a test can cancel anywhere.
  private struct Held: @unchecked Sendable {  // The tested subscriptions are Sendable.
    let subscription: any Subscription
  }

  /// An object that calls a closure when it is released.
  private final class Ending: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }

    deinit {
      body()
    }
  }
}
