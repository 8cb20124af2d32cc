import Arbor
import Synchronization

/// The cost of a selector whose inputs have not changed.
let selectorRows = [
  Row(workload: "an unchanged selector, read on the queue", limit: "an uncontended lock", budget: 3) { scale in
    let count = scale.count(1_000_000)
    let factory = StoreFactory(initialState: Counter(), reducer: Counter.reducer)
    let lock = Lock()
    return (
      work: {
        let store = factory.rootStore()
        return inside(store) {
          nanoseconds(perOperationOf: count) {
            var length = 0
            for _ in 0..<count { length &+= store.select(Counter.length) ?? 0 }
            consume(length)
          }
        }
      },
      limit: {
        nanoseconds(perOperationOf: count) {
          for _ in 0..<count { lock.value.withLock { $0 &+= 1 } }
        }
      }
    )
  },
  Row(
    workload: "a selector of two inputs, read after another part has changed",
    limit: "reading the state and both inputs, and comparing them",
    budget: 2
  ) { scale in
    let count = scale.count(300_000)
    let store = { StoreFactory(initialState: Counter(), reducer: Counter.reducer) }
    let factories = (idle: store(), reading: store(), selecting: store())
    let last = Last()
    factories.idle.subscribe(observer: Observer { $0.count == .min ? .dead : .active })
    factories.reading.subscribe(
      observer: Observer { [store = factories.reading.rootStore()] _ in
        last.isEqual(to: store.state!) ? .active : .dead
      }
    )
    factories.selecting.subscribe(
      observer: Observer { [store = factories.selecting.rootStore()] _ in
        store.select(Counter.summary) == nil ? .dead : .active
      }
    )
    func change(_ factory: StoreFactory<Counter, CounterAction>) -> Double {
      nanoseconds(perOperationOf: count) {
        factory.whileHeld {
          for index in 0..<count { factory.dispatch(.add(index)) }
        }
      }
    }
    return (
      work: { change(factories.selecting) - change(factories.idle) },
      limit: { change(factories.reading) - change(factories.idle) }
    )
  },
]

extension Counter {
  fileprivate static let summary = StateSelector(\Counter.step, \.title) { step, title in "\(title), by \(step)" }

  /// A number: copying a string includes counting its references, which every variant would do.
  fileprivate static let length = StateSelector(summary) { $0.utf8.count }
}

private final class Lock: Sendable {
  let value = Mutex(0)
}

/// The last inputs, compared manually.
private final class Last: Sendable {
  private let paths: (any KeyPath<Counter, Int> & Sendable, any KeyPath<Counter, String> & Sendable) = (\.step, \.title)
  private let inputs = (Counter().step, Counter().title)

  func isEqual(to state: Counter) -> Bool {
    state[keyPath: paths.0] == inputs.0 && state[keyPath: paths.1] == inputs.1
  }
}

/// Returns the result of a body that an observer calls.
private func inside(_ store: Store<Counter, CounterAction>, _ body: @escaping @Sendable () -> Double) -> Double {
  let result = Mutex(0.0)
  store.subscribe(
    observer: Observer { _ in
      let value = body()
      result.withLock { $0 = value }
      return .dead
    }
  )
  consume(store.state)
  return result.withLock { $0 }
}
