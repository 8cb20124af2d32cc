import Arbor

/// The cost of a dispatch to a child of a child of a child of a child.
let depthRows = [
  depthRow("a child at depth 4, no observers", isObserved: false),
  depthRow("a child at depth 4, one observer there", isObserved: true),
  depthRow("a child at depth 4, no observers, against the root", isObserved: false, besideRoot: true),
  depthRow("a child at depth 4, one observer there, against the root", isObserved: true, besideRoot: true),
]

/// - Parameter besideRoot: `true` if the limit is the same action at the root; otherwise it is a root that calls the
///   same reducers and mappings itself.
private func depthRow(_ workload: String, isObserved: Bool, besideRoot: Bool = false) -> Row {
  let limit = besideRoot ? "the same at the root" : "a root that calls the same reducers and mappings"
  return Row(workload: workload, limit: limit, budget: besideRoot ? nil : isObserved ? 2 : 1.3) { scale in
    let actions = scale.count(300_000)
    let factory = StoreFactory(initialState: Counter(), reducer: Counter.reducer)
    let first = factory.childStore(initialState: 0, stateMapping: fromRoot, reducer: own)
    let second = first.childStore(initialState: 0, stateMapping: fromAbove, reducer: own)
    let third = second.childStore(initialState: 0, stateMapping: fromAbove, reducer: own)
    let fourth = third.childStore(initialState: 0, stateMapping: fromAbove, reducer: own)
    let root = StoreFactory(initialState: Counter(), reducer: Counter.reducer)
    let flat = StoreFactory(initialState: Flat(), reducer: Flat.reducer)
    if isObserved {
      fourth.subscribe(observer: Observer { $0.own == .min ? .dead : .active })
      root.subscribe(observer: Observer { $0.count == .min ? .dead : .active })
      flat.subscribe(observer: Observer { $0.fourthLevel.own == .min ? .dead : .active })
    }
    return (
      work: { flood(fourth.store(), actions) },
      limit: { besideRoot ? flood(root.rootStore(), actions) : flood(flat.rootStore(), actions) }
    )
  }
}

private struct Level: Sendable {
  var total: Int
  var own: Int
}

// Stored, like the closures of a store: a compiler that sees their code would combine them.
nonisolated(unsafe) private var own: Reducer<Int, CounterAction> = { state, action in
  if case .add(let amount) = action { state &+= amount }
}
nonisolated(unsafe) private var ofRoot = Counter.reducer
nonisolated(unsafe) private var fromRoot: @Sendable (Counter, Int) -> Level = { Level(total: $0.count, own: $1) }
nonisolated(unsafe) private var fromAbove: @Sendable (Level, Int) -> Level = { Level(total: $0.total, own: $1) }

/// The states of five stores in one.
private struct Flat: Sendable {
  var root = Counter()
  var (first, second, third, fourth) = (0, 0, 0, 0)

  static let reducer: Reducer<Flat, CounterAction> = { state, action in
    own(&state.fourth, action)
    own(&state.third, action)
    own(&state.second, action)
    own(&state.first, action)
    ofRoot(&state.root, action)
  }

  var fourthLevel: Level { fromAbove(fromAbove(fromAbove(fromRoot(root, first), second), third), fourth) }
}

private func flood<State>(_ store: Store<State, CounterAction>, _ actions: Int) -> Double {
  nanoseconds(perOperationOf: actions) {
    store.whileHeld {
      for index in 0..<actions { store.dispatch(.add(index)) }
    }
  }
}
