import Arbor
import ArborTesting
import Dispatch
import Synchronization

/// The cost of a test.
let testStoreRows = [
  Row(workload: "TestStore: a send and its assertion, 20 fields", objects: 700, budget: 1) { scale in
    let count = scale.count(2_000)
    return { perOperation(of: count) { store in await add(store, count) } }
  },
  Row(workload: "TestStore: a send that grows a list, 20 fields", objects: 700, budget: nil) { scale in
    let count = scale.count(200)
    return { perOperation(of: count) { store in await append(store, count) } }
  },
  Row(workload: "TestStore: a test of 1,000 sends", objects: 33e6, budget: 1) { _ in
    { perOperation(of: 1) { store in await add(store, 1_000) } }
  },
  Row(workload: "TestStore: 10,000 actions of an interceptor, received", objects: 33e6, budget: 1) { _ in
    {
      perOperation(of: 1) { store in
        await store.send(.flood(10_000))
        for count in 1...10_000 { await store.receive(.add) { $0.count = count } }
      }
    }
  },
]

private func add(_ store: TestStore<Wide, WideAction>, _ count: Int) async {
  for number in 1...count { await store.send(.add) { $0.count = number } }
}

private func append(_ store: TestStore<Wide, WideAction>, _ count: Int) async {
  for number in 1...count { await store.send(.append(number)) { $0.numbers.append(number) } }
}

/// Times a test from its first call to the end.
private func perOperation(
  of count: Int,
  _ test: @escaping @Sendable (TestStore<Wide, WideAction>) async -> Void
) -> Double {
  let done = DispatchSemaphore(value: 0)
  let result = Mutex(0.0)
  Task.detached {
    let start = ContinuousClock.now
    let store = TestStore(
      initialState: Wide(),
      interceptor: { action, dispatch in
        guard case .flood(let count) = action else { return }
        for _ in 0..<count { dispatch(.add) }
      },
      reducer: Wide.reducer
    )
    await test(store)
    await store.finish()
    let (seconds, attoseconds) = (ContinuousClock.now - start).components
    result.withLock { $0 = (Double(seconds) * 1e9 + Double(attoseconds) / 1e9) / Double(count) }
    done.signal()
  }
  done.wait()
  return result.withLock { $0 }
}
