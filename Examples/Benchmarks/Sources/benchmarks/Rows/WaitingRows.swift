import Arbor
import Dispatch

/// The cost of waiting when no other caller uses the store.
let waitingRows = [
  Row(workload: "dispatchAndWait, uncontended", limit: "an empty queue.sync", budget: 2) { scale in
    let count = scale.count(300_000)
    let factory = StoreFactory(initialState: Counter(), reducer: Counter.reducer)
    let queue = DispatchQueue(label: "empty")
    return (
      work: {
        let store = factory.rootStore()
        return nanoseconds(perOperationOf: count) {
          for index in 0..<count { store.dispatchAndWait(.add(index)) }
        }
      },
      limit: {
        nanoseconds(perOperationOf: count) {
          for _ in 0..<count { queue.sync {} }
        }
      }
    )
  }
]
