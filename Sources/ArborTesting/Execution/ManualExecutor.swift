public import Arbor

/// Runs the work of stores one step at a time, under the control of a test.
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
/// - It runs the production engine, with the same order and the same laws, but on no other thread. Every action or
///   batch, delivery, timer and part of a task is a step.
/// - Step it from one thread at a time. Steps run in the order they arrived or, with a seed, in another order that the
///   laws allow, chosen at random. Only the order within each mailbox and each queue is fixed.
/// - Any number of trees may share an executor; they take turns in the order they had work.
/// - Waiting calls (`state`, both forms of `dispatchAndWait`, `state(where:)` and each round of a `for await` over
///   states) run everything that their tree has accepted before them, on the calling thread. Deliveries to other queues
///   wait for their step. To read a state without running waiting work, subscribe an observer.
/// - Deliveries to the main actor are made on the thread that steps the executor, so step it on the main actor.
///   Otherwise the program stops with a message.
/// - If a ``TestStore`` uses the executor, the actions in its tree are held until the test receives them; they aren't
///   steps.
/// - Parts of tasks are steps only on macOS 15, iOS 18, tvOS 18, watchOS 11 and visionOS 2 or later, and on Linux. On
///   older systems, tasks run on Swift's own executor. The actions that they send are still steps, but the test does
///   not control when they are sent.
/// - Nothing is lost when the executor is released: its trees continue on their own queues.
/// - If you step inside a callback of the tree whose turn it is, the program stops with a message.
public final class ManualExecutor: Sendable {
  package let schedule: ManualSchedule

  /// Makes an executor without work that runs steps in the order they arrive.
  public init() {
    schedule = ManualSchedule(StepOrder())
  }

  /// Makes an executor that chooses each step at random from a seed.
  ///
  /// - Parameter seed: The seed of the random generator. The same seed chooses the same steps.
  public init(seed: UInt64) {
    schedule = ManualSchedule(StepOrder(seed: seed))
  }

  /// Makes an executor that repeats choices, for a schedule that
  /// ``explore(schedules:seed:fileID:filePath:line:column:isolation:_:)`` has found.
  ///
  /// - Parameter choices: The index of each chosen step among the possible next ones, wherever there is more than one.
  ///   After the last choice, steps run in the order they arrived.
  public init(choices: [Int]) {
    schedule = ManualSchedule(StepOrder(prescribed: choices))
  }

  /// The seed of the random generator; nil if steps are not chosen at random.
  public var seed: UInt64? { schedule.plan.withLock { $0.order.seed } }

  /// The choices made so far, wherever there was more than one possible step.
  public var choices: [Int] { schedule.plan.withLock { $0.order.choices } }

  /// The number of waiting steps: actions, batches, activities, subscriptions, the releases after them, deliveries on
  /// other queues, parts of tasks, and timers that have fired.
  public var pending: Int {
    schedule.pending
  }

  /// Runs the next step, if there is one, on the calling thread.
  ///
  /// - Returns: `true` if there was a step.
  @discardableResult
  public func step() -> Bool {
    schedule.step()
  }

  /// Runs steps, including the steps that they cause, until none is waiting.
  public func run() {
    schedule.run()
  }

  /// Runs steps until a condition holds or no step is waiting.
  ///
  /// - Parameter isDone: Returns `true` if the condition holds. Called before each step and at the end.
  /// - Returns: `true` if the condition holds.
  @discardableResult
  public func run(until isDone: () -> Bool) -> Bool {
    while !isDone() {
      guard step() else { return false }
    }
    return true
  }

  /// Runs steps, and waits for tasks that have left the executor, for example to run on another actor or to wait for a
  /// callback or real time.
  ///
  /// - It returns when all tasks of its trees have ended or sleep on a ``TestClock``, and no step is waiting. Only
  ///   tasks that stores start, and their structured child tasks, are known. If only a child of a task sleeps, this
  ///   method still waits for the task, because another child may have left the executor.
  /// - If a task is still away from the executor after the timeout, a failure that names the task is recorded at the
  ///   caller's line.
  /// - Parameters:
  ///   - timeout: The longest time to wait, in real time.
  ///   - fileID: The file of the call, where a failure is recorded.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - isolation: The actor that makes the call.
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
  /// - All other settings are the same as in ``/Arbor/TreeSettings/init(name:clock:monitors:onEffectError:)``. Once the
  ///   executor is released, the tree continues on its queue.
  /// - Parameters:
  ///   - name: The name of the root in logs, traces, recordings and reports. By default, it is the name of its state's
  ///     type.
  ///   - clock: The clock of delays: a ``TestClock`` or an ``ImmediateClock``. By default, real time passes.
  ///   - monitors: The monitors of the tree.
  ///   - onEffectError: Receives each error that an effect's task throws. If you omit it, a line is written to standard
  ///     error.
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
