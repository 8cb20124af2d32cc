import Arbor
import ArborTesting
import ArborUI
import Combine
import TestSupport
import Testing

@Suite("The publisher of activities")
struct ActivityPublisherTests {
  let executor = ManualExecutor()

  @Test func `activities of the type arrive in order, from the subscription on, including those from below`() {
    let factory = StoreFactory.counter(on: executor)
    let child = factory.childStore(initialState: 0, reducer: { _, _ in })
    factory.emit(Saved(number: 0))
    executor.run()
    let subscriber = TestSubscriber<Saved>(requesting: nil)
    factory.publisher(activities: Saved.self).subscribe(subscriber)
    factory.emit(Saved(number: 1))
    child.emit(Saved(number: 2))
    factory.emit("something else")
    factory.emit(Saved(number: 3))
    executor.run()
    #expect(subscriber.values.map(\.number) == [1, 2, 3])
  }

  @Test func `activities arrive in order with the states`() {
    let factory = StoreFactory.counter(on: executor)
    let log = Log<String>()
    let cancellables = [
      factory.publisher.sink { log.append("state \($0.count)") },
      factory.publisher(activities: Saved.self).sink { log.append("activity \($0.number)") },
    ]
    factory.dispatch(.add(1))
    factory.emit(Saved(number: 1))
    factory.dispatch(.add(1))
    executor.run()
    #expect(log.entries == ["state 0", "state 1", "activity 1", "state 2"])
    withExtendedLifetime(cancellables) {}
  }

  @Test func `an activity without demand is dropped`() {
    let factory = StoreFactory.counter(on: executor)
    let subscriber = TestSubscriber<Saved>(requesting: 2)
    factory.publisher(activities: Saved.self).subscribe(subscriber)
    for number in 1...4 { factory.emit(Saved(number: number)) }
    executor.run()
    subscriber.request(1)
    executor.run()
    #expect(subscriber.values.map(\.number) == [1, 2])
    for number in 5...6 { factory.emit(Saved(number: number)) }
    executor.run()
    #expect(subscriber.values.map(\.number) == [1, 2, 5])
  }

  @Test func `an activity emitted inside receive arrives after the call`() {
    let factory = StoreFactory.counter(on: executor)
    let store = factory.rootStore()
    let subscriber = TestSubscriber<Saved>(requesting: 1) { saved, subscriber in
      subscriber.request(1)
      if saved.number < 100 { store.emit(Saved(number: saved.number + 1)) }
      return 0
    }
    factory.publisher(activities: Saved.self).subscribe(subscriber)
    factory.emit(Saved(number: 0))
    executor.run()
    #expect(subscriber.values.map(\.number) == Array(0...100))
    #expect(!subscriber.hasOverlapped)
  }

  @Test(.reports("used after its owner was released"))
  func `it finishes when the owner is released, and immediately if the owner is gone`() {
    var factory: StoreFactory<Counter, CounterAction>? = .counter(on: executor)
    let publisher = factory!.publisher(activities: Saved.self)
    let (early, late) = (TestSubscriber<Saved>(requesting: nil), TestSubscriber<Saved>(requesting: 0))
    publisher.subscribe(early)
    factory?.emit(Saved(number: 1))
    executor.run()
    #expect(early.completions == 0)
    factory = nil
    #expect(early.completions == 1)
    publisher.subscribe(late)
    #expect(late.completions == 1)
    #expect(early.values.map(\.number) == [1])
  }

  @Test func `it finishes immediately for a closure-backed store`() {
    let store = Store<Int, Int> { _ in
    } subscribe: { _ in
    }
    let subscriber = TestSubscriber<Saved>(requesting: nil)
    store.publisher(activities: Saved.self).subscribe(subscriber)
    #expect(subscriber.completions == 1)
  }

  @Test func `after a cancellation it releases everything and publishes no more`() {
    let factory = StoreFactory.counter(on: executor)
    weak var captured: Object?
    weak var subscription: AnyObject?
    let numbers = Log<Int>()
    do {
      let object = Object()
      captured = object
      let subscriber = TestSubscriber<Saved>(requesting: nil) { saved, subscriber in
        withExtendedLifetime(object) { numbers.append(saved.number) }
        subscriber.cancel()
        return nil
      }
      factory.publisher(activities: Saved.self).subscribe(subscriber)
      subscription = subscriber.subscription as AnyObject
    }
    #expect(captured != nil && subscription != nil)
    for number in 1...2 { factory.emit(Saved(number: number)) }
    executor.run()
    #expect(numbers.entries == [1])
    #expect(captured == nil)
    #expect(subscription == nil)
  }
}
