import Arbor

/// The memory used by the parts of a tree.
let memoryRows = [
  memoryRow("an idle observer", bytes: 200) { factory in
    factory.subscribe(observer: Observer { $0.count == .min ? .dead : .active })
  },
  memoryRow("an observer of `observe`", bytes: 300) { factory in
    factory.observe { (state: Counter) in consume(state.count) }
  },
  memoryRow("a scope with its own actions", bytes: 300) { factory in
    factory.scope(to: \.count, action: CounterAction.add)
  },
  memoryRow("a derived value", bytes: 1000) { factory in
    factory.derived(\.count)
  },
  memoryRow("a child store", bytes: 1300) { factory in
    factory.childStore(initialState: 0) { _, _ in }
  },
]

/// - Parameter make: Makes a part, which is kept.
private func memoryRow<Made>(
  _ workload: String,
  bytes limit: Double,
  make: @escaping @Sendable (StoreFactory<Counter, CounterAction>) -> Made
) -> Row {
  Row(workload: workload + " (bytes)", limit: "fixed", budget: 1) { scale in
    let count = scale.count(10_000)
    return (
      work: {
        let factory = StoreFactory(initialState: Counter(), reducer: Counter.reducer)
        var made: [Made] = []
        made.reserveCapacity(count)
        // The first one also makes everything that all parts share, which does not count.
        made.append(make(factory))
        consume(factory.state)
        guard let before = allocatedBytes() else { return nil }
        for _ in 1..<count { made.append(make(factory)) }
        consume(factory.state)
        let bytes = allocatedBytes().map { Double($0 - before) / Double(count - 1) }
        consume(made)
        return bytes
      },
      limit: { limit }
    )
  }
}
