import Arbor
import ArborUI
import Combine
import Testing

extension StatePublisherTests {
  /// A closure-backed store, which calls its observers on the thread of the dispatch.
  private final class HandmadeStore: Sendable {
    private struct Content: Sendable {
      var state = 0
      var observers: [Observer<Int>] = []
    }

    private let content = Protected(Content())

    var observerCount: Int { content.withLock { $0.observers.count } }

    var store: Store<Int, Int> {
      Store { number in
        let (state, observers) = self.content.withLock { content in
          content.state += number
          return (content.state, content.observers)
        }
        for observer in observers { self.send(state, to: observer) }
      } subscribe: { observer in
        let state = self.content.withLock { content in
          content.observers.append(observer)
          return content.state
        }
        self.send(state, to: observer)
      }
    }

    func removeAll() {
      let removed = content.withLock { content in
        defer { content.observers = [] }
        return content.observers
      }
      withExtendedLifetime(removed) {}
    }

    private func send(_ state: Int, to observer: Observer<Int>) {
      observer.send(state) { status in
        guard status == .dead else { return }
        let removed = self.content.withLock { content in
          content.observers.firstIndex(of: observer).map { content.observers.remove(at: $0) }
        }
        withExtendedLifetime(removed) {}
      }
    }
  }

  @Test func `a closure-backed store publishes its states, and finishes when it releases the observer`() {
    let made = HandmadeStore()
    let subscriber = TestSubscriber<Int>(requesting: nil)
    made.store.publisher.subscribe(subscriber)
    for _ in 1...2 { made.store.dispatch(1) }
    #expect(subscriber.values == [0, 1, 2])
    made.removeAll()
    #expect(subscriber.completions == 1)
  }

  @Test func `a closure-backed store that sends inside receive is not called recursively`() {
    let made = HandmadeStore()
    let store = made.store
    let subscriber = TestSubscriber<Int>(requesting: nil) { state, _ in
      if state < 100 { store.dispatch(1) }
      return 0
    }
    store.publisher.subscribe(subscriber)
    #expect(subscriber.values == Array(0...100))
    #expect(!subscriber.hasOverlapped)
  }

  @Test func `a closure-backed store that finishes inside receive finishes after the call`() {
    let made = HandmadeStore()
    let store = made.store
    // Called with the state read for the demand, so that only the store holds the observer's closure.
    let subscriber = TestSubscriber<Int>(requesting: 0) { state, subscriber in
      if state == 1 {
        store.dispatch(1)
        made.removeAll()
        #expect(subscriber.completions == 0)
      }
      return 0
    }
    store.publisher.subscribe(subscriber)
    store.dispatch(1)
    subscriber.request(2)
    #expect(subscriber.values == [1, 2])
    #expect(subscriber.completions == 1)
    #expect(!subscriber.hasOverlapped)
  }

  @Test func `if canceled inside receive, values that wait for the call do not arrive`() {
    let made = HandmadeStore()
    let store = made.store
    let subscriber = TestSubscriber<Int>(requesting: nil) { state, subscriber in
      for _ in 1...2 where state == 1 { store.dispatch(1) }
      if state == 1 { subscriber.cancel() }
      return 1
    }
    store.publisher.subscribe(subscriber)
    store.dispatch(1)
    #expect(subscriber.values == [0, 1])
    made.removeAll()
    #expect(subscriber.completions == 0)
  }

  @Test func `a closure-backed store is read again for a later demand`() {
    let made = HandmadeStore()
    let subscriber = TestSubscriber<Int>(requesting: 0)
    made.store.publisher.subscribe(subscriber)
    for _ in 1...2 { made.store.dispatch(1) }
    subscriber.request(1)
    #expect(subscriber.values == [2])
    #expect(made.observerCount == 1)
  }

  @Test func `a state skipped inside receive is read when the same call requests more`() {
    let made = HandmadeStore()
    let store = made.store
    let subscriber = TestSubscriber<Int>(requesting: 1) { state, _ in
      if state == 0 { for _ in 1...3 { store.dispatch(1) } }
      return 1
    }
    store.publisher.subscribe(subscriber)
    #expect(subscriber.values == [0, 3])
    #expect(!subscriber.hasOverlapped)
  }
}
