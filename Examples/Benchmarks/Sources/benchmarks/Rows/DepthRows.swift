import Arbor

/// What it costs to dispatch to a child of a child of a child of a child.
let depthRows = [
  depthRow("a child at depth 4, nobody listens", isObserved: false),
  depthRow("a child at depth 4, one observer there", isObserved: true),
]

private func depthRow(_ workload: String, isObserved: Bool) -> Row {
  Row(workload: workload, limit: "the same at the root", budget: 2) { scale in
    let actions = scale.count(300_000)
    let root = StoreFactory(initialState: Counter(), reducer: Counter.reducer)
    let factory = StoreFactory(initialState: Counter(), reducer: Counter.reducer)
    let first = factory.childStore(initialState: 0, stateMapping: { Level(total: $0.count, own: $1) }, reducer: own)
    let second = first.childStore(initialState: 0, stateMapping: { Level(total: $0.total, own: $1) }, reducer: own)
    let third = second.childStore(initialState: 0, stateMapping: { Level(total: $0.total, own: $1) }, reducer: own)
    let fourth = third.childStore(initialState: 0, stateMapping: { Level(total: $0.total, own: $1) }, reducer: own)
    if isObserved {
      root.subscribe(observer: Observer { $0.count == .min ? .dead : .active })
      fourth.subscribe(observer: Observer { $0.own == .min ? .dead : .active })
    }
    return (
      work: { flood(fourth.store(), actions) },
      limit: { flood(root.rootStore(), actions) }
    )
  }
}

private struct Level: Sendable {
  var total: Int
  var own: Int
}

private let own: Reducer<Int, CounterAction> = { state, action in
  if case .add(let amount) = action { state &+= amount }
}

private func flood<State>(_ store: Store<State, CounterAction>, _ actions: Int) -> Double {
  nanoseconds(perOperationOf: actions) {
    store.whileHeld {
      for index in 0..<actions { store.dispatch(.add(index)) }
    }
  }
}
