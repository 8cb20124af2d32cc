import Arbor
import ArborDevTools

/// The cost of an action in a store that a monitor watches.
let monitorRows = [
  monitorRow("an action with MetricsMonitor", atMost: 120) { MetricsMonitor() },
  monitorRow("an action with MetricsMonitor and a key", atMost: 250) {
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
  atMost nanoseconds: Double,
  _ makeMonitor: @escaping @Sendable () -> any StoreMonitor
) -> Row {
  Row(workload: workload, limit: "an action without, and \(Int(nanoseconds)) ns", budget: 1) { scale in
    let count = scale.count(300_000)
    let monitored = StoreFactory(
      initialState: Counter(),
      settings: TreeSettings(monitors: [makeMonitor()]),
      reducer: Counter.reducer
    )
    let plain = StoreFactory(initialState: Counter(), reducer: Counter.reducer)
    return (
      work: { waiting(monitored, count) },
      limit: { waiting(plain, count) + nanoseconds }
    )
  }
}

/// Waits for each action, so that all that is done for it counts, on one thread.
private func waiting(_ factory: StoreFactory<Counter, CounterAction>, _ count: Int) -> Double {
  let store = factory.rootStore()
  return nanoseconds(perOperationOf: count) {
    for index in 0..<count { store.dispatchAndWait(.add(index)) }
  }
}
