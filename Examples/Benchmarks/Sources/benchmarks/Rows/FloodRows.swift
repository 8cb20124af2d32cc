import Arbor
import Dispatch
import Foundation

/// Actions as fast as possible, until the last is reduced.
let floodRows = [1, 2].map { threads in
  Row(
    workload: threads == 1 ? "flood of enum actions from one thread" : "flood of enum actions from two threads",
    limit: "append and drain under a lock, the same threads",
    budget: 2
  ) { scale in
    let share = scale.count(1_000_000) / threads
    let factory = StoreFactory(initialState: Counter(), reducer: Counter.reducer)
    let store = factory.rootStore()
    let queue = LockedQueue()
    return (
      work: {
        nanoseconds(perOperationOf: share * threads) {
          onThreads(threads) { for index in 0..<share { store.dispatch(.add(index)) } }
          consume(factory.state)
        }
      },
      limit: {
        nanoseconds(perOperationOf: share * threads) {
          onThreads(threads) { for index in 0..<share { queue.send(.add(index)) } }
          queue.wait()
        }
      }
    )
  }
}

/// Runs a body on a number of threads at once, including the calling one, and returns when all are done.
private func onThreads(_ count: Int, _ body: @escaping @Sendable () -> Void) {
  let group = DispatchGroup()
  for _ in 1..<count {
    group.enter()
    Thread {
      body()
      group.leave()
    }.start()
  }
  body()
  group.wait()
}
