import Arbor
import Dispatch

/// The cost of commits, compared with actions and with a bare queue.
let commitRows =
  [
    Row(workload: "commit, uncontended", limit: "an empty queue.sync", budget: 2) { scale in
      let count = scale.count(300_000)
      let store = CommitStore(initialState: Counter())
      let queue = DispatchQueue(label: "empty")
      return (
        work: {
          nanoseconds(perOperationOf: count) {
            for index in 0..<count { store.commit { $0.count &+= index } }
          }
        },
        limit: {
          nanoseconds(perOperationOf: count) {
            for _ in 0..<count { queue.sync {} }
          }
        }
      )
    },
    Row(workload: "commit of a scope, uncontended", limit: "an empty queue.sync", budget: nil) { scale in
      let count = scale.count(300_000)
      let store = CommitStore(initialState: Counter())
      let scope = store.scope(at: \.count)
      let queue = DispatchQueue(label: "empty")
      return (
        work: {
          withExtendedLifetime(store) {
            nanoseconds(perOperationOf: count) {
              for index in 0..<count { scope.commit { $0 &+= index } }
            }
          }
        },
        limit: {
          nanoseconds(perOperationOf: count) {
            for _ in 0..<count { queue.sync {} }
          }
        }
      )
    },
    floodRow("flood of commitLater", budget: 1.5) { store, count in
      for _ in 0..<count { store.commitLater { $0.count &+= 1 } }
    },
    floodRow("flood of commitLater, each with a captured value", budget: nil) { store, count in
      for index in 0..<count { store.commitLater { $0.count &+= index } }
    },
  ]

private func floodRow(
  _ workload: String,
  budget: Double?,
  _ flood: @escaping @Sendable (Store<Counter, Mutation<Counter>>, Int) -> Void
) -> Row {
  Row(workload: workload, limit: "the same flood of enum actions", budget: budget) { scale in
    let count = scale.count(1_000_000)
    let commits = CommitStore(initialState: Counter())
    let factory = StoreFactory(initialState: Counter(), reducer: Counter.reducer)
    let store = factory.rootStore()
    return (
      work: {
        nanoseconds(perOperationOf: count) {
          flood(commits.rootStore(), count)
          consume(commits.state)
        }
      },
      limit: {
        nanoseconds(perOperationOf: count) {
          for index in 0..<count { store.dispatch(.add(index)) }
          consume(factory.state)
        }
      }
    )
  }
}
