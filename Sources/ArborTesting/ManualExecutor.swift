internal import Arbor

/// Runs the work of stores one step at a time, when a test says so.
///
/// ```swift
/// let executor = ManualExecutor()
/// let factory = StoreFactory(initialState: 0, executor: executor) { (state: inout Int, action: Int) in state += action }
/// factory.rootStore().dispatch(1)
/// executor.pending  // 1
/// executor.run()
/// factory.state     // 1
/// ```
///
/// - The engine is the one that ships: the same order, the same laws, no other thread.
/// - It is stepped from one thread at a time.
/// - Any number of trees may share one executor; they take turns in the order in which they had work.
/// - Waiting calls (`state`, both forms of `dispatchAndWait`, `state(where:)` and each round of a `for await` over states) run
///   what their tree has accepted before them, on the calling thread; deliveries elsewhere wait for their step. To look at a
///   state without running what waits, subscribe an observer.
/// - Deliveries to the main actor are made where the executor is stepped: that must be the main actor then. Else it stops
///   the program and says so.
/// - Nothing is lost when the executor is released: its trees then go on by themselves, on their own queues.
/// - Stepping inside a callback of the tree whose turn it is stops the program and says so.
public final class ManualExecutor: Sendable {
  package let schedule = ManualSchedule()

  /// Makes an executor with nothing to do.
  public init() {}

  /// The number of steps that wait: actions, batches, activities, subscriptions (those of derived values, too), releases
  /// behind them, deliveries on other queues, parts of tasks, and timers that have rung.
  public var pending: Int {
    schedule.pending
  }

  /// Runs the next step, if any, on the calling thread.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  public func step() -> Bool {
    schedule.step()
  }

  /// Runs steps, those that come of them too, until none waits.
  public func run() {
    while step() {}
  }

  deinit {
    schedule.close()
  }
}
