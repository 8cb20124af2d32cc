import Arbor
import Dispatch

/// An executor that runs a test's closure at a point where another thread might run.
final class InterruptedExecutor: TreeExecutor, @unchecked Sendable {  // Only one thread has it.
  /// Called once, as on another thread, between two parts of one call.
  var interruption: (() -> Void)?

  /// The number of such points to skip first.
  var momentsBefore = 0
  private var trees: [any Drainable] = []
  private var deliveries: [@Sendable () -> Void] = []
  private var running: (any Drainable)?
  private var bodies: [@Sendable () async -> Void] = []

  func wake(_ tree: any Drainable, quality: DispatchQoS) {
    trees.append(tree)
  }

  func deliver(on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void) {
    deliveries.append(work)
  }

  func schedule(
    after duration: Duration,
    on clock: any Clock<Duration>,
    _ work: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void { {} }

  func inspection(clock: any Clock<Duration>) -> (any TreeInspection)? { nil }

  /// Keeps the body until ``finishTasks()``, because no other thread may use this executor.
  func startTask(priority: TaskPriority?, _ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    bodies.append(body)
    return Task {}
  }

  /// Runs the tasks to their end, so that none keeps its tree.
  func finishTasks() async {
    while let body = bodies.popLast() {
      await body()
      run()
    }
  }

  func taskWaits(for tree: any Drainable) {}
  func taskWaits(until isDone: () -> Bool) {}
  func canWait(for tree: any Drainable) -> Bool { running == nil }

  func mayInterrupt(_ tree: any Drainable) {
    guard let interruption else { return }
    guard momentsBefore == 0 else {
      momentsBefore -= 1
      return
    }
    self.interruption = nil
    Tree.asOtherThread(interruption)
  }

  func stepMailbox() {
    guard !trees.isEmpty else { return }
    running = trees.removeFirst()
    running?.runOneEntry()
    running = nil
  }

  func run() {
    while !trees.isEmpty || !deliveries.isEmpty {
      stepMailbox()
      runDeliveries()
    }
  }

  func runDeliveries() {
    let now = deliveries
    deliveries = []
    for delivery in now { delivery() }
  }
}
