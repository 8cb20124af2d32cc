public import Arbor

/// Runs the work of stores one step at a time, when a test says so.
///
/// ```swift
/// let executor = ManualExecutor()
/// let factory = StoreFactory(initialState: 0, settings: TreeSettings(executor: executor)) {
///   (state: inout Int, action: Int) in state += action
/// }
/// factory.rootStore().dispatch(1)
/// executor.pending  // 1
/// executor.run()
/// factory.state  // 1
/// ```
///
/// - The engine is the one that ships: the same order, the same laws, no other thread. Every action or batch, delivery, timer and
///   part of a task is a step.
/// - It is stepped from one thread at a time, in the order in which things came; or in another one that the laws allow too, chosen
///   at random from a seed: each mailbox and each queue keeps its order, all else does not.
/// - Any number of trees may share one executor; they take turns in the order in which they had work.
/// - Waiting calls (`state`, both forms of `dispatchAndWait`, `state(where:)` and each round of a `for await` over states) run
///   what their tree has accepted before them, on the calling thread; deliveries elsewhere wait for their step. To look at a
///   state without running what waits, subscribe an observer.
/// - Deliveries to the main actor are made where the executor is stepped: that must be the main actor then. Else it stops
///   the program and says so.
/// - The actions of a ``TestStore`` that uses it are held for that, and are no steps.
/// - That parts of tasks are steps needs macOS 15, iOS 18, tvOS 18, watchOS 11 or visionOS 2. On older systems tasks run on
///   Swift's own executor: what they send is a step all the same, but when they send it is not in the test's hands.
/// - Nothing is lost when the executor is released: its trees then go on by themselves, on their own queues.
/// - Stepping inside a callback of the tree whose turn it is stops the program and says so.
public final class ManualExecutor: Sendable {
  package let schedule: ManualSchedule

  /// Makes an executor with nothing to do, that runs what came first first.
  public init() {
    schedule = ManualSchedule(StepOrder())
  }

  /// Makes an executor that chooses each step at random.
  ///
  /// - Parameter seed: The seed of the generator: the same seed chooses the same steps.
  public init(seed: UInt64) {
    schedule = ManualSchedule(StepOrder(seed: seed))
  }

  /// Makes an executor that repeats choices, for a schedule that ``explore(schedules:seed:fileID:filePath:line:column:isolation:_:)``
  /// has found.
  ///
  /// - Parameter choices: Of the steps that could be next, the index of the one that is: only where there is more than one. Behind
  ///   the last choice, what came first is first.
  public init(choices: [Int]) {
    schedule = ManualSchedule(StepOrder(prescribed: choices))
  }

  /// The generator by which steps are chosen; nil if they are not chosen at random.
  public var seed: UInt64? { schedule.plan.withLock { $0.order.seed } }

  /// The choices that were made up to now, where there was more than one step to choose from.
  public var choices: [Int] { schedule.plan.withLock { $0.order.choices } }

  /// The number of steps that wait: actions, batches, activities, subscriptions, releases
  /// behind them, deliveries on other queues, parts of tasks, and timers that have rung.
  public var pending: Int {
    schedule.pending
  }

  /// Runs the next step, if any, on the calling thread.
  ///
  /// - Returns: `true` if there was one.
  @discardableResult
  public func step() -> Bool {
    schedule.step()
  }

  /// Runs steps, those that come of them too, until none waits.
  public func run() {
    schedule.run()
  }

  /// Runs steps until a condition holds, or none waits.
  ///
  /// - Parameter isDone: Is asked before each step, and at the end.
  /// - Returns: `true` if it holds.
  @discardableResult
  public func run(until isDone: () -> Bool) -> Bool {
    while !isDone() {
      guard step() else { return false }
    }
    return true
  }

  /// Runs steps, and waits for tasks that have left the executor: for another actor, a callback, or real time.
  ///
  /// - Returns once all tasks of its trees have ended or sleep on a ``TestClock``, and no step waits. Only the tasks that stores
  ///   start are known, and what is a structured part of them. A task is waited for of which a part sleeps, and not it itself:
  ///   another part may be elsewhere.
  /// - A task that is still elsewhere when the time is over is a failure, which is recorded at the caller's line and names it.
  /// - Parameters:
  ///   - timeout: The longest time to wait, in real time.
  ///   - fileID: The file of the call, at which a failure is recorded.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - isolation: The actor on which the call is made.
  public func settle(
    timeout: Duration = .seconds(5),
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    isolation: isolated (any Actor)? = #isolation
  ) async {
    let left = await schedule.run(until: { false }, tasks: { schedule.elsewhere }, timeout: timeout, settle: run)
    guard !left.isEmpty else { return }
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    TestRunner.record(.tasksElsewhere(left, after: timeout), at: place)
  }

  deinit {
    schedule.close()
  }
}

extension TreeSettings {
  /// Makes the settings of a tree whose work a test runs step by step.
  ///
  /// - Otherwise like ``/Arbor/TreeSettings/init(name:clock:monitors:onEffectError:)``. Once the executor is released,
  ///   the tree continues on its queue.
  /// - Parameters:
  ///   - name: The name of the root in logs, traces, recordings and reports. Without it, the name of its state's type.
  ///   - clock: The clock of delays: a ``TestClock`` or an ``ImmediateClock``. By default real time passes.
  ///   - monitors: Receive what happens in the tree.
  ///   - onEffectError: Receives each error that an effect's task throws. Without it, standard error receives one line.
  ///   - executor: The executor that runs the tree's work.
  public init(
    name: String? = nil,
    clock: any Clock<Duration> = ContinuousClock(),
    monitors: [any StoreMonitor] = [],
    onEffectError: (
      @Sendable (_ key: (any Hashable & Sendable)?, _ action: (any Sendable)?, _ error: any Error) -> Void
    )? = nil,
    executor: ManualExecutor
  ) {
    self.init(
      name: name,
      clock: clock,
      monitors: monitors,
      onEffectError: onEffectError,
      executor: executor.schedule
    )
  }
}
