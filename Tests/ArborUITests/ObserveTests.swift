import Arbor
import ArborTesting
import ArborUI
import Dispatch
import Observation
import Testing

@MainActor
@Suite("Observing for a view controller")
struct ObserveTests {
  private struct Counter: Equatable, Sendable {
    var count = 0
    var name = "Ada"
  }

  private enum Change: Sendable {
    case count
    case rename(String)
  }

  @Observable
  @MainActor
  final class Model {
    var value = 0
  }

  private let factory = StoreFactory<Counter, Change>(initialState: Counter()) { state, change in
    switch change {
    case .count: state.count += 1
    case .rename(let name): state.name = name
    }
  }

  @Test func `values are applied immediately, and again only after changes of their parts`() {
    let store = factory.observable()
    var applied: [Int] = []
    let subscription = observe {
      store.count
    } apply: {
      applied.append($0)
    }
    store.dispatchAndWait(.rename("Eve"))
    store.dispatchAndWait(.count)
    #expect(applied == [0, 1])
    subscription.cancel()
  }

  @Test func `changes of deliveries that are made together are applied once`() {
    let (first, second) = (factory.observable(), factory.observable())
    var applied: [[Int]] = []
    let subscription = observe {
      [first.count, second.count]
    } apply: {
      applied.append($0)
    }
    first.dispatchAndWait(.count)
    #expect(applied == [[0, 0], [1, 1]])
    subscription.cancel()
  }

  @Test func `changes of one delivery are applied in the order of the observations`() {
    let store = factory.observable()
    var applied: [Int] = []
    let subscriptions = (0..<8).map { number in
      observe {
        number.isMultiple(of: 2) ? store.count : store.count * 2
      } apply: { _ in
        applied.append(number)
      }
    }
    applied = []
    store.dispatchAndWait(.count)
    #expect(applied == [0, 1, 2, 3, 4, 5, 6, 7])
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test func `apply may dispatch and wait`() {
    let store = factory.observable()
    var applied: [Int] = []
    let subscription = observe {
      store.count
    } apply: { count in
      applied.append(count)
      if count < 5 { store.dispatchAndWait(.count) }
    }
    #expect(applied == [0, 1, 2, 3, 4, 5])
    #expect(store.count == 5)
    subscription.cancel()
  }

  @Test func `apply is never called inside its own call, so the last value is applied last`() {
    let store = factory.observable()
    var shown = -1
    let subscription = observe {
      store.count
    } apply: { count in
      // Deep enough to overflow the stack if each call were inside the previous one.
      if count < 20_000 { store.dispatchAndWait(.count) }
      shown = count
    }
    #expect(shown == 20_000)
    subscription.cancel()
  }

  @Test func `after a step of another thread, apply finds all of the tree's stores up to date, and can wait`()
    async
  {
    let (first, second) = (factory.observable(), factory.observable())
    let (values, continuation) = AsyncStream<[Int]>.makeStream()
    let subscription = observe {
      [first.count, second.count]
    } apply: { counts in
      continuation.yield(counts)
      guard counts == [1, 1] else { return }
      second.dispatchAndWait(.count)
      continuation.yield([first.count, second.count, -1])
    }
    DispatchQueue.global().async { [factory] in factory.dispatch(.count) }
    var seen: [[Int]] = []
    for await counts in values {
      seen.append(counts)
      if counts == [2, 2] { break }
    }
    #expect(seen == [[0, 0], [1, 1], [2, 2, -1], [2, 2]])
    subscription.cancel()
  }

  @Test func `a canceled subscription applies nothing more, and releases both functions`() {
    let store = factory.observable()
    final class Token {}
    var token: Token? = Token()
    weak let weakToken = token
    var applied = 0
    let subscription = observe { [token] in
      _ = token
      return store.count
    } apply: { [token] _ in
      _ = token
      applied += 1
    }
    token = nil
    #expect(weakToken != nil)
    subscription.cancel()
    #expect(weakToken == nil)
    store.dispatchAndWait(.count)
    #expect(applied == 1)
  }

  @Test func `an observation canceled while it reads applies nothing more`() {
    let store = factory.observable()
    var subscription: StoreSubscription?
    var applied: [Int] = []
    subscription = observe {
      if store.count == 1 { subscription?.cancel() }
      return store.count
    } apply: {
      applied.append($0)
    }
    for _ in 0..<2 { store.dispatchAndWait(.count) }
    #expect(applied == [0])
  }

  @Test func `an observation canceled on another thread waits for nothing more`() {
    let store = factory.observable()
    var applied: [Int] = []
    let subscription = observe {
      store.count
    } apply: {
      applied.append($0)
    }
    DispatchQueue.global().sync { subscription.cancel() }
    store.dispatchAndWait(.count)
    #expect(applied == [0])
  }

  @Test func `an observation may be canceled in apply`() {
    let store = factory.observable()
    var subscription: StoreSubscription?
    var applied: [Int] = []
    subscription = observe {
      store.count
    } apply: { count in
      applied.append(count)
      if count == 1 { subscription = nil }
    }
    for _ in 0..<3 { store.dispatchAndWait(.count) }
    #expect(applied == [0, 1])
    #expect(subscription == nil)
  }

  @Test func `changes of other observable objects are applied soon after them`() async {
    let model = Model()
    let (values, continuation) = AsyncStream<Int>.makeStream()
    let subscription = observe {
      model.value
    } apply: {
      continuation.yield($0)
    }
    model.value = 1
    model.value = 2
    var seen: [Int] = []
    for await value in values {
      seen.append(value)
      if value == 2 { break }
    }
    #expect(seen == [0, 2])
    subscription.cancel()
  }
}
