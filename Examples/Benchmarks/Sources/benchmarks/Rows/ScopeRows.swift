import Arbor

/// The cost of making and releasing a scoped store.
let scopeRows = [
  scopeRow("a scoped store made and dropped", budget: 1) { $0.scope(to: \.count) },
  scopeRow("a scoped store with its own actions made and dropped", budget: nil) {
    $0.scope(to: \.count, action: CounterAction.add)
  },
]

private func scopeRow<Action>(
  _ workload: String,
  budget: Double?,
  make: @escaping @Sendable (Store<Counter, CounterAction>) -> Store<Int, Action>
) -> Row {
  Row(workload: workload, objects: 5, budget: budget) { scale in
    let count = scale.count(300_000)
    let factory = StoreFactory(initialState: Counter(), reducer: Counter.reducer)
    return {
      let store = factory.rootStore()
      return nanoseconds(perOperationOf: count) {
        for _ in 0..<count { consume(make(store)) }
      }
    }
  }
}
