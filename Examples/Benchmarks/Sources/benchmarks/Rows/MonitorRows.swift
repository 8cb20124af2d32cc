import Arbor
import ArborDevTools

/// The cost of an action in a store with a monitor.
let monitorRows = [
  monitorRow("an action with MetricsMonitor", objects: 4) { MetricsMonitor() },
  monitorRow("an action with MetricsMonitor and a key", objects: 8) {
    MetricsMonitor { (action: CounterAction) in
      switch action {
      case .increment: "increment"
      case .add: "add"
      case .reset: "reset"
      }
    }
  },
]

func monitorRow(
  _ workload: String,
  objects: Double,
  _ makeMonitor: @escaping @Sendable () -> any StoreMonitor
) -> Row {
  Row(workload: workload, limit: "an action without, and \(Row.text(ofObjects: objects))", budget: 1) { scale in
    let count = scale.count(300_000)
    let monitored = StoreFactory(
      initialState: Counter(),
      settings: TreeSettings(monitors: [makeMonitor()]),
      reducer: Counter.reducer
    )
    let plain = StoreFactory(initialState: Counter(), reducer: Counter.reducer)
    return (
      work: { waiting(monitored, count) },
      limit: { waiting(plain, count) + nanoseconds(ofObjects: objects) }
    )
  }
}

/// Waits for each action, so that all its work counts, on one thread.
private func waiting(_ factory: StoreFactory<Counter, CounterAction>, _ count: Int) -> Double {
  let store = factory.rootStore()
  return nanoseconds(perOperationOf: count) {
    for index in 0..<count { store.dispatchAndWait(.add(index)) }
  }
}
