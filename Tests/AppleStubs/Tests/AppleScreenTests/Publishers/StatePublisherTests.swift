import Arbor
import ArborTesting
import ArborUI
import Combine
import Testing

@Suite("The publisher of states")
struct StatePublisherTests {
  let executor = ManualExecutor()

  @Test func `the current state has arrived when the subscription returns, after everything accepted before`() {
    let factory = StoreFactory.counter(on: executor)
    factory.dispatch(.add(1))
    let subscriber = TestSubscriber<Counter>(requesting: nil)
    factory.publisher.subscribe(subscriber)
    #expect(subscriber.values.map(\.count) == [1])
  }

  @Test func `every state follows in order, once, and each subscriber receives its own`() {
    let factory = StoreFactory.counter(on: executor)
    let publisher = factory.scopeStore(to: \.count).publisher
    let early = TestSubscriber<Int>(requesting: nil)
    publisher.subscribe(early)
    for number in 1...3 { factory.dispatch(.add(number)) }
    executor.run()
    let late = TestSubscriber<Int>(requesting: nil)
    publisher.subscribe(late)
    factory.dispatch(.add(4))
    executor.run()
    #expect(early.values == [0, 1, 3, 6, 10])
    #expect(late.values == [6, 10])
    #expect(early.completions == 0)
  }

  @Test func `a batch is one state`() {
    let factory = StoreFactory.counter(on: executor)
    let subscriber = TestSubscriber<Int>(requesting: nil)
    factory.scopeStore(to: \.count).publisher.subscribe(subscriber)
    factory.dispatch(batch: [.add(1), .add(2)])
    executor.run()
    #expect(subscriber.values == [0, 3])
  }

  @Test func `a scope to an optional publishes nothing while it is nil`() {
    let factory = StoreFactory.counter(on: executor)
    let subscriber = TestSubscriber<Int>(requesting: nil)
    factory.scopeStore(toOptional: \.detail).publisher.subscribe(subscriber)
    #expect(subscriber.values == [])
    for detail in [7, nil, 8] { factory.dispatch(.show(detail)) }
    executor.run()
    #expect(subscriber.values == [7, 8])
  }

  @Test func `a child's states are published by its object and by its store`() {
    let factory = StoreFactory.counter(on: executor)
    let child = factory.childStore(initialState: 10, stateMapping: { $0.count + $1 }, reducer: { _, _ in })
    let ofObject = TestSubscriber<Int>(requesting: nil)
    let ofStore = TestSubscriber<Int>(requesting: nil)
    child.publisher.subscribe(ofObject)
    child.store().publisher.subscribe(ofStore)
    factory.dispatch(.add(1))
    executor.run()
    #expect(ofObject.values == [10, 11])
    #expect(ofStore.values == [10, 11])
  }

  @Test func `a derived value publishes only its changes, and is kept by publisher and subscription`() {
    let factory = StoreFactory.counter(on: executor)
    weak var derived: Derived<Bool>?
    let subscriber = TestSubscriber<Bool>(requesting: nil)
    do {
      let isOdd = factory.derived { !$0.count.isMultiple(of: 2) }
      derived = isOdd
      isOdd.publisher.subscribe(subscriber)
    }
    for _ in 1...2 { factory.dispatch(batch: [.add(1), .add(2)]) }
    factory.dispatch(.add(2))
    executor.run()
    #expect(subscriber.values == [false, true, false])
    #expect(derived != nil)
    subscriber.cancel()
    #expect(derived == nil)
  }

  @Test func `a constant publishes its value and does not finish`() {
    let subscriber = TestSubscriber<Int>(requesting: nil)
    Derived.constant(5).publisher.subscribe(subscriber)
    #expect(subscriber.values == [5])
    #expect(subscriber.completions == 0)
  }

  @Test func `if subscribed in a callback, it does not wait for the first state`() {
    let factory = StoreFactory.counter(on: executor)
    let inner = TestSubscriber<Counter>(requesting: nil)
    let counts = Log<Int>()
    let outer = TestSubscriber<Counter>(requesting: nil) { [publisher = factory.publisher] state, _ in
      guard state.count == 1 else { return 0 }
      publisher.subscribe(inner)
      counts.append(inner.values.count)
      return 0
    }
    factory.publisher.subscribe(outer)
    factory.dispatch(.add(1))
    executor.run()
    #expect(counts.entries == [0])
    #expect(inner.values.map(\.count) == [1])
  }

  @Test func `a dispatch inside receive goes after the waiting actions and does not recurse`() {
    let factory = StoreFactory.counter(on: executor)
    let store = factory.rootStore()
    let subscriber = TestSubscriber<Counter>(requesting: nil) { state, _ in
      if state.count < 1000 { store.dispatch(.add(1)) }
      return 0
    }
    factory.publisher.subscribe(subscriber)
    executor.run()
    #expect(subscriber.values.map(\.count) == Array(0...1000))
    #expect(!subscriber.hasOverlapped)
  }
}
