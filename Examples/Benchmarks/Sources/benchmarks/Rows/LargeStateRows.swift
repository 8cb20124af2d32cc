import Arbor

/// The cost of a large state, compared with a small one.
let largeStateRows = [
  largeStateRow("one element of an array of 1,000,000", isObserved: false),
  largeStateRow("one element of an array of 1,000,000, one observer", isObserved: true),
]

private func largeStateRow(_ workload: String, isObserved: Bool) -> Row {
  Row(workload: workload, limit: "of an array of 100", budget: 1.1) { scale in
    let actions = scale.count(300_000)
    // Both change the same hundred elements, so that only the size of the state differs, not the use of the processor's
    // cache.
    let factories = [scale.count(1_000_000) + 100, 100].map { size in
      let factory = StoreFactory<[Int], Int>(initialState: Array(repeating: 0, count: size)) { state, index in
        state[index] &+= 1
      }
      if isObserved { factory.subscribe(observer: Observer { $0.isEmpty ? .dead : .active }) }
      return factory
    }
    func change(_ factory: StoreFactory<[Int], Int>) -> Double {
      let store = factory.rootStore()
      return nanoseconds(perOperationOf: actions) {
        store.whileHeld {
          for index in 0..<actions { store.dispatch(index % 100) }
        }
      }
    }
    return (work: { change(factories[0]) }, limit: { change(factories[1]) })
  }
}
