import Arbor
import ArborTesting
import ArborUI
import Combine
import TestSupport
import Testing

extension StatePublisherTests {
  @Test func `it finishes when the factory is released, after everything accepted before`() {
    var factory: StoreFactory<Counter, CounterAction>? = .counter(on: executor)
    let subscriber = TestSubscriber<Counter>(requesting: nil)
    factory?.publisher.subscribe(subscriber)
    factory?.dispatch(.add(1))
    factory = nil
    #expect(subscriber.completions == 0)
    executor.run()
    #expect(subscriber.completions == 1)
  }

  @Test func `it finishes before the release returns if nothing waits, without any demand`() {
    var factory: StoreFactory<Counter, CounterAction>? = .counter(on: executor)
    let (with, without) = (TestSubscriber<Counter>(requesting: nil), TestSubscriber<Counter>(requesting: 0))
    let publisher = factory!.publisher
    publisher.subscribe(with)
    publisher.subscribe(without)
    factory = nil
    #expect(with.completions == 1)
    #expect(without.completions == 1)
    #expect(without.values.isEmpty)
  }

  @Test func `it finishes when a child's object is released, but the parent's does not`() {
    let factory = StoreFactory.counter(on: executor)
    let ofParent = TestSubscriber<Counter>(requesting: nil)
    factory.publisher.subscribe(ofParent)
    var child: StoreObject? = factory.childStore(initialState: 1, stateMapping: { $1 }, reducer: { _, _ in })
    let ofChild = TestSubscriber<Int>(requesting: nil)
    child?.publisher.subscribe(ofChild)
    child = nil
    #expect(ofChild.completions == 1)
    #expect(ofParent.completions == 0)
  }

  @Test func `a derived value's publisher finishes with the store's owner`() {
    var factory: StoreFactory<Counter, CounterAction>? = .counter(on: executor)
    let derived = factory!.derived(\.count)
    let subscriber = TestSubscriber<Int>(requesting: nil)
    derived.publisher.subscribe(subscriber)
    factory = nil
    #expect(subscriber.values == [0])
    #expect(subscriber.completions == 1)
  }

  @Test(.reports("used after its owner was released"))
  func `a source that is gone finishes immediately, without a state`() {
    var factory: StoreFactory<Counter, CounterAction>? = .counter(on: executor)
    let (store, derived) = (factory!.rootStore(), factory!.derived(\.count))
    factory = nil
    let ofStore = TestSubscriber<Counter>(requesting: nil)
    let ofDerived = TestSubscriber<Int>(requesting: 0)
    store.publisher.subscribe(ofStore)
    derived.publisher.subscribe(ofDerived)
    #expect(ofStore.values.isEmpty && ofDerived.values.isEmpty)
    #expect(ofStore.completions == 1 && ofDerived.completions == 1)
  }

  @Test func `if released inside receive, it finishes after the call and outside the store's queue`() {
    let factories = Log<StoreFactory<Counter, CounterAction>>()
    factories.append(.counter(on: executor))
    let other = StoreFactory.counter(on: executor)
    let states = Log<Int>()
    let store = factories.entries[0].rootStore()
    let subscriber = TestSubscriber<Counter>(requesting: nil) { state, _ in
      if state.count == 1 { factories.takeAll() }
      return 0
    }
    store.publisher.subscribe(subscriber)
    // A completion may wait, unlike a callback of a tree on a manual executor.
    let cancellable = store.publisher.sink { _ in
      other.dispatchAndWait(.add(1))
      states.append(other.state.count)
    } receiveValue: { _ in
    }
    store.dispatch(.add(1))
    executor.run()
    #expect(subscriber.values.map(\.count) == [0, 1])
    #expect(subscriber.completions == 1)
    #expect(!subscriber.hasOverlapped)
    #expect(states.entries == [1])
    withExtendedLifetime(cancellable) {}
  }

  @Test func `nothing follows the completion`() {
    var factory: StoreFactory<Counter, CounterAction>? = .counter(on: executor)
    let subscriber = TestSubscriber<Counter>(requesting: 0)
    factory?.publisher.subscribe(subscriber)
    factory?.dispatch(.add(1))
    executor.run()
    subscriber.request(1)
    factory = nil
    executor.run()
    #expect(subscriber.completions == 1)
    let count = subscriber.values.count
    subscriber.request(1)
    subscriber.cancel()
    executor.run()
    #expect(subscriber.values.count == count)
    #expect(subscriber.completions == 1)
  }

  @Test func `a completed subscription releases the subscriber, itself and the derived value`() {
    var factory: StoreFactory<Counter, CounterAction>? = .counter(on: executor)
    weak var subscriber: TestSubscriber<Int>?
    weak var derived: Derived<Int>?
    weak var subscription: AnyObject?
    do {
      let new = TestSubscriber<Int>(requesting: nil)
      let count = factory!.derived(\.count)
      count.publisher.subscribe(new)
      (subscriber, derived, subscription) = (new, count, new.subscription as AnyObject)
    }
    #expect(subscriber != nil && derived != nil && subscription != nil)
    factory = nil
    #expect(derived == nil)
    #expect(subscriber == nil)
    #expect(subscription == nil)
  }
}
