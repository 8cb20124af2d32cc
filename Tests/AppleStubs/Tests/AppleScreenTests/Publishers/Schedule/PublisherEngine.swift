import Arbor
import ArborTesting
import ArborUI
import Combine

/// The publisher of a store that a test runs manually.
final class PublisherEngine {
  private let executor = ManualExecutor()
  private var factory: StoreFactory<Counter, CounterAction>?
  private let store: Store<Counter, CounterAction>
  private var subscribers: [TestSubscriber<Int>] = []

  init() {
    let factory = StoreFactory.counter(on: executor)
    store = factory.rootStore()
    self.factory = factory
  }

  func perform(_ operation: PublisherOperation) {
    switch operation {
    case .add(let number): if factory != nil { store.dispatch(.add(number)) }
    case .subscribe(let count):
      let subscriber = TestSubscriber<Int>(requesting: count) { value, _ in demand(at: value) }
      subscribers.append(subscriber)
      store.scope(to: \.count).publisher.subscribe(subscriber)
    case .request(let count, let number): if subscribers.indices.contains(number) { subscribers[number].request(count) }
    case .cancel(let number): if subscribers.indices.contains(number) { subscribers[number].cancel() }
    case .step: executor.step()
    case .run: executor.run()
    case .release: factory = nil
    }
  }

  var receipts: [Receipts] { subscribers.map { Receipts(values: $0.values, completions: $0.completions) } }
  var hasOverlapped: Bool { subscribers.contains { $0.hasOverlapped } }
}
