import Arbor
import ArborUI
import Combine
import TestSupport
import Testing

@Suite("Publishers and threads")
struct PublisherThreadTests {
  private static let threads = 4
  private static let rounds = 100

  @Test func `subscribers on several threads amid dispatches miss no state and receive none twice`() {
    let factory = StoreFactory.counter()
    let subscribers = Log<TestSubscriber<Counter>>()
    onThreads(Self.threads) { _ in
      for _ in 0..<Self.rounds {
        let subscriber = TestSubscriber<Counter>(requesting: nil)
        factory.publisher.subscribe(subscriber)
        #expect(subscriber.values.count >= 1)
        subscribers.append(subscriber)
        factory.dispatch(.add(1))
      }
    }
    let last = factory.state.count
    #expect(last == Self.threads * Self.rounds)
    for subscriber in subscribers.entries {
      let counts = subscriber.values.map(\.count)
      #expect(counts == Array((counts.first ?? 0)...last))
      #expect(!subscriber.hasOverlapped)
    }
  }

  @Test func `with demand from several threads states ascend, calls are serial, and the last state arrives`() {
    let factory = StoreFactory.counter()
    let subscriber = TestSubscriber<Counter>(requesting: 0)
    factory.publisher.subscribe(subscriber)
    onThreads(Self.threads) { thread in
      for _ in 0..<Self.rounds {
        if thread.isMultiple(of: 2) { factory.dispatch(.add(1)) } else { subscriber.request(1) }
      }
    }
    subscriber.request(1)
    // A request during the read of an older state is read in a separate turn, which the first call may precede.
    let last = factory.state.count
    #expect(factory.state.count == last)
    let counts = subscriber.values.map(\.count)
    #expect(zip(counts, counts.dropFirst()).allSatisfy { $0 < $1 })
    #expect(counts.last == last)
    #expect(counts.count <= Self.threads / 2 * Self.rounds + 1)
    #expect(!subscriber.hasOverlapped)
  }

  @Test func `after cancellations on other threads amid states, everything is released and nothing follows`() {
    let factory = StoreFactory.counter()
    let captured = Log<Weak>()
    onThreads(Self.threads) { thread in
      for _ in 0..<Self.rounds {
        let object = Object()
        captured.append(Weak(object: object))
        let subscriber = TestSubscriber<Counter>(requesting: nil) { _, _ in withExtendedLifetime(object) { 0 } }
        factory.publisher.subscribe(subscriber)
        factory.dispatch(.add(1))
        subscriber.cancel()
      }
    }
    // The observers that ended during a step are released after it.
    for _ in 1...2 { factory.dispatchAndWait(.add(1)) }
    withExtendedLifetime(factory) {}
    #expect(captured.entries.count == Self.threads * Self.rounds)
    #expect(wait { captured.entries.allSatisfy { $0.object == nil } })
  }

  @Test(.reports("used after its owner was released"))
  func `if released amid states and demands, each subscriber finishes once and last`() {
    for _ in 0..<Self.rounds {
      let owner = Log<StoreFactory<Counter, CounterAction>>()
      owner.append(.counter())
      let store = owner.entries[0].rootStore()
      let subscribers = (0..<Self.threads).map { TestSubscriber<Counter>(requesting: $0 == 0 ? nil : 1) }
      for subscriber in subscribers { store.publisher.subscribe(subscriber) }
      onThreads(Self.threads) { thread in
        if thread == 0 {
          _ = owner.takeAll()
          return
        }
        store.dispatch(.add(1))
        subscribers[thread].request(1)
      }
      #expect(wait { subscribers.allSatisfy { $0.completions == 1 } })
      for subscriber in subscribers {
        #expect(subscriber.completions == 1)
        #expect(!subscriber.hasOverlapped)
      }
    }
  }

  @Test func `with subscriptions inside other publishers on several threads, each state arrives`() {
    let factory = StoreFactory.counter()
    let count = factory.derived(\.count)
    let sinks = Log<Log<Int>>()
    let cancellables = Log<Held>()
    onThreads(Self.threads) { _ in
      for _ in 0..<Self.rounds / 10 {
        let sums = Log<Int>()
        let cancellable = factory.publisher
          .flatMap { state in count.publisher.first().map { $0 - state.count } }
          .sink { sums.append($0) }
        sinks.append(sums)
        cancellables.append(Held(cancellable: cancellable))
        factory.dispatch(.add(1))
      }
    }
    let last = factory.state.count
    // A subscription in the last step has its state after it.
    for _ in 1...2 { _ = factory.state }
    #expect(last == Self.threads * (Self.rounds / 10))
    for sums in sinks.entries {
      #expect(sums.entries.count >= 1)
      #expect(sums.entries.allSatisfy { $0 >= 0 })
    }
    cancellables.takeAll()
  }

  /// A cancellable that is kept until the end of a test.
  private struct Held: @unchecked Sendable {  // A log's lock guards it.
    let cancellable: AnyCancellable
  }

  /// A weak reference that can be kept in a list.
  private struct Weak: Sendable {
    weak let object: Object?
  }

  /// Waits until a condition holds, because another thread may still work after the queue has been left.
  private func wait(until isDone: () -> Bool) -> Bool {
    let start = ContinuousClock.now
    while !isDone() {
      guard ContinuousClock.now - start < .seconds(60) else { return false }
    }
    return true
  }
}
