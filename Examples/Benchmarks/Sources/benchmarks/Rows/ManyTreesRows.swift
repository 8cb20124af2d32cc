import Arbor
import Dispatch
import Synchronization

/// The cost of a separate queue for each of many trees.
let manyTreesRows = [
  Row(workload: "10,000 trees, an action each in turn", limit: "`queue.async` to as many queues", budget: 1.5) {
    scale in
    let count = scale.count(10_000)
    let turn = Turn()
    let trees = (0..<count).map { _ in
      StoreFactory<Int, Int>(initialState: 0) { state, action in
        state &+= action
        turn.end()
      }
    }
    let queues = (0..<count).map { _ in CountingQueue() }
    return (
      work: {
        turn.nanoseconds(perOperationOf: count) { index in trees[index].dispatch(index) }
      },
      limit: {
        turn.nanoseconds(perOperationOf: count) { index in
          let queue = queues[index]
          queue.queue.async {
            queue.count &+= index
            turn.end()
          }
        }
      }
    )
  }
]

/// A count that belongs to a serial queue.
private final class CountingQueue: @unchecked Sendable {  // The count is used only on the queue.
  let queue = DispatchQueue(label: "counting")
  var count = 0
}

/// A turn in which each of many queues does one operation.
private final class Turn: Sendable {
  private let left = Atomic(0)
  private let isOver = DispatchSemaphore(value: 0)

  /// Records that a queue has done its part.
  func end() {
    if left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { isOver.signal() }
  }

  /// Begins an operation on each queue, and waits until all are done.
  func nanoseconds(perOperationOf count: Int, begin: (Int) -> Void) -> Double {
    benchmarks.nanoseconds(perOperationOf: count) {
      left.store(count, ordering: .releasing)
      for index in 0..<count { begin(index) }
      isOver.wait()
    }
  }
}
