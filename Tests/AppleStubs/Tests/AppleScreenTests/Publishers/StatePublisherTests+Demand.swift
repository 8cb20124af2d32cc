import Arbor
import ArborTesting
import ArborUI
import Combine
import Testing

extension StatePublisherTests {
  @Test func `without demand nothing arrives, and no state is kept`() {
    let factory = StoreFactory<Object?, Object?>(
      initialState: nil,
      settings: TreeSettings(executor: executor),
      reducer: { $0 = $1 }
    )
    let subscriber = TestSubscriber<Object?>(requesting: 0)
    factory.publisher.subscribe(subscriber)
    weak var skipped: Object?
    do {
      let object = Object()
      skipped = object
      factory.dispatch(object)
    }
    executor.run()
    #expect(skipped != nil, "the store has it")
    factory.dispatch(nil)
    executor.run()
    #expect(skipped == nil)
    #expect(subscriber.values.isEmpty)
  }

  @Test func `a later demand receives the newest state, on the store's queue and in its turn`() {
    let factory = StoreFactory.counter(on: executor)
    let subscriber = TestSubscriber<Counter>(requesting: 0)
    factory.publisher.subscribe(subscriber)
    for _ in 1...3 { factory.dispatch(.add(1)) }
    executor.run()
    factory.dispatch(.add(1))
    subscriber.request(1)
    #expect(subscriber.values.isEmpty, "the store's queue has not run yet")
    executor.run()
    #expect(subscriber.values.map(\.count) == [4])
    factory.dispatch(.add(1))
    executor.run()
    #expect(subscriber.values.map(\.count) == [4])
  }

  @Test func `a demand for a state that has already arrived waits for the next one`() {
    let factory = StoreFactory.counter(on: executor)
    let subscriber = TestSubscriber<Counter>(requesting: 1)
    factory.publisher.subscribe(subscriber)
    #expect(subscriber.values.map(\.count) == [0])
    subscriber.request(1)
    executor.run()
    #expect(subscriber.values.map(\.count) == [0])
    factory.dispatch(.add(1))
    executor.run()
    #expect(subscriber.values.map(\.count) == [0, 1])
  }

  @Test func `as many states arrive as were requested, and those in between are skipped`() {
    let factory = StoreFactory.counter(on: executor)
    let subscriber = TestSubscriber<Counter>(requesting: 3)
    factory.publisher.subscribe(subscriber)
    for _ in 1...5 { factory.dispatch(.add(1)) }
    executor.run()
    #expect(subscriber.values.map(\.count) == [0, 1, 2])
    subscriber.request(2)
    executor.run()
    #expect(subscriber.values.map(\.count) == [0, 1, 2, 5])
    for _ in 1...2 { factory.dispatch(.add(1)) }
    executor.run()
    #expect(subscriber.values.map(\.count) == [0, 1, 2, 5, 6])
  }

  @Test func `demands add up, and unlimited demand stays unlimited`() {
    let factory = StoreFactory.counter(on: executor)
    let subscriber = TestSubscriber<Counter>(requesting: .max)
    factory.publisher.subscribe(subscriber)
    subscriber.request(.max)
    factory.dispatch(.add(1))
    executor.run()
    subscriber.request(nil)
    subscriber.request(1)
    for _ in 1...3 { factory.dispatch(.add(1)) }
    executor.run()
    #expect(subscriber.values.map(\.count) == [0, 1, 2, 3, 4])
  }

  @Test func `a state that arrives after a later demand, and before its turn, arrives once`() {
    let factory = StoreFactory.counter(on: executor)
    let subscriber = TestSubscriber<Counter>(requesting: 0)
    factory.publisher.subscribe(subscriber)
    factory.dispatch(.add(1))
    executor.run()
    factory.dispatch(.add(1))
    subscriber.request(2)
    subscriber.request(1)
    factory.dispatch(.add(1))
    executor.run()
    #expect(subscriber.values.map(\.count) == [2, 3])
    factory.dispatch(.add(1))
    executor.run()
    #expect(subscriber.values.map(\.count) == [2, 3, 4])
  }

  @Test func `several demands before its turn read the newest state once more`() {
    let factory = StoreFactory.counter(on: executor)
    let projections = Log<Int>()
    let store = factory.scopeStore { state -> Int in
      projections.append(state.count)
      return state.count
    }
    let subscriber = TestSubscriber<Int>(requesting: 0)
    store.publisher.subscribe(subscriber)
    factory.dispatch(.add(1))
    executor.run()
    for _ in 1...3 { subscriber.request(1) }
    executor.run()
    #expect(projections.entries == [0, 1, 1, 1])
    #expect(subscriber.values == [1])
  }

  @Test func `a demand while the newest state is being read receives everything accepted before the demand`() {
    let factory = StoreFactory.counter(on: executor)
    let subscriber = TestSubscriber<Counter>(requesting: 1)
    factory.publisher.subscribe(subscriber)
    factory.dispatch(.add(1))
    executor.run()
    for number in [10, 100] { factory.dispatch(.add(number)) }
    subscriber.request(1)
    factory.dispatch(.add(1000))
    for _ in 1...2 { executor.step() }
    #expect(subscriber.values.map(\.count) == [0, 11])
    subscriber.request(1)
    executor.run()
    #expect(subscriber.values.map(\.count) == [0, 11, 1111])
  }

  @Test func `a state that uses up the demand before its turn leaves the newest to the next demand`() {
    let factory = StoreFactory.counter(on: executor)
    let subscriber = TestSubscriber<Counter>(requesting: 0)
    factory.publisher.subscribe(subscriber)
    factory.dispatch(.add(1))
    factory.dispatch(.add(1))
    executor.step()
    factory.dispatch(.add(1))
    subscriber.request(1)
    executor.run()
    #expect(subscriber.values.map(\.count) == [2])
    subscriber.request(1)
    executor.run()
    #expect(subscriber.values.map(\.count) == [2, 3])
  }

  @Test func `if requested inside receive, the next state arrives after the call`() {
    let factory = StoreFactory.counter(on: executor)
    let subscriber = TestSubscriber<Counter>(requesting: 1) { _, subscriber in
      subscriber.request(1)
      return 0
    }
    factory.publisher.subscribe(subscriber)
    for _ in 1...3 { factory.dispatch(.add(1)) }
    executor.run()
    #expect(subscriber.values.map(\.count) == [0, 1, 2, 3])
    #expect(!subscriber.hasOverlapped)
  }

  @Test func `the return value of receive is added to the demand`() {
    let factory = StoreFactory.counter(on: executor)
    let subscriber = TestSubscriber<Counter>(requesting: 1) { state, _ in state.count < 2 ? 1 : 0 }
    factory.publisher.subscribe(subscriber)
    for _ in 1...5 { factory.dispatch(.add(1)) }
    executor.run()
    #expect(subscriber.values.map(\.count) == [0, 1, 2])
  }

  @Test func `a skipped value of a scope that becomes nil meanwhile is not published`() {
    let factory = StoreFactory.counter(on: executor)
    let subscriber = TestSubscriber<Int>(requesting: 0)
    factory.scopeStore(toOptional: \.detail).publisher.subscribe(subscriber)
    for detail in [1, nil] { factory.dispatch(.show(detail)) }
    executor.run()
    subscriber.request(1)
    executor.run()
    #expect(subscriber.values == [])
    for detail in [2, 3] { factory.dispatch(.show(detail)) }
    executor.run()
    #expect(subscriber.values == [2])
    subscriber.request(1)
    executor.run()
    #expect(subscriber.values == [2, 3])
  }

  @Test func `a derived value's newest value arrives with a later demand`() {
    let factory = StoreFactory.counter(on: executor)
    let subscriber = TestSubscriber<Int>(requesting: 0)
    factory.derived(\.count).publisher.subscribe(subscriber)
    for _ in 1...3 { factory.dispatch(.add(1)) }
    executor.run()
    subscriber.request(2)
    executor.run()
    #expect(subscriber.values == [3])
    factory.dispatch(.add(1))
    executor.run()
    #expect(subscriber.values == [3, 4])
  }

  @Test func `a constant arrives with a later demand`() {
    let subscriber = TestSubscriber<Int>(requesting: 0)
    let constant = Derived.constant(5)
    constant.publisher.subscribe(subscriber)
    subscriber.request(1)
    _ = constant.observe { _ in }
    #expect(subscriber.values == [5])
    subscriber.cancel()
  }
}
