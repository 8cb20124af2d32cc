/// A manual executor's inspection of a tree: the tree's tasks, the actions that interceptors hold, and a notice before
/// a thread waits for the tree.
///
/// May be used from any thread, except for the actions that interceptors hold.
@usableFromInline
package final class TaskInspection: TreeInspection {
  private struct Content: Sendable {
    var tasks: [UInt64: InspectedTask] = [:]
    var willWait: (@Sendable () -> Void)?
    var undecided: [@Sendable () -> [any Sendable]?] = []
  }

  private let content = Protected(Content())

  private let isTimeManual: Bool

  /// Runs the steps that wait in the manual executor. Returns `false` if the executor was released, so that trees run
  /// by themselves.
  let run: @Sendable () -> Bool

  /// - Parameters:
  ///   - isTimeManual: `true` if tests control the tree's clock.
  ///   - run: Runs the steps that wait in the manual executor. Returns `false` if it was released.
  package init(isTimeManual: Bool, run: @escaping @Sendable () -> Bool) {
    self.isTimeManual = isTimeManual
    self.run = run
  }

  /// The registered tasks that haven't ended, in the order of their registration, with the delays of retries.
  package var tasks: [InspectedTask] {
    content.withLock { Array($0.tasks.values) }.sorted { $0.number < $1.number }
  }

  /// Sets the closure that is called when a thread outside the tree's callbacks is about to run accepted entries
  /// because it waits for them; nil removes it.
  package func whenWaiting(_ willWait: (@Sendable () -> Void)?) {
    // The previous closure is released outside the lock.
    _ = content.withLock { content in
      defer { content.willWait = willWait }
      return content.willWait
    }
  }

  @usableFromInline
  package func willWait() {
    content.withLock { $0.willWait }?()
  }

  @usableFromInline
  package func willSaveSteps(_ list: @escaping @Sendable () -> [any Sendable]?) {
    // Outside the lock: a list reads users' actions, and may be the last to release them. On the tree's queue, so that no
    // other list comes between.
    let lists = content.withLock { $0.undecided }
    let left = lists.filter { $0() != nil } + [list]
    content.withLock { $0.undecided = left }
    withExtendedLifetime(lists) {}
  }

  /// The actions that interceptors hold: those of each node in the order they were held. Only read on the tree's queue.
  package var undecidedActions: [any Sendable] {
    content.withLock { $0.undecided }.flatMap { $0() ?? [] }
  }

  /// Makes the record of a task that is about to be registered.
  func track(
    key: TypedKey?,
    cause: (any Sendable)?,
    isEffect: Bool,
    of stateEffect: StateEffectDeclaration?,
    isOngoing: Bool
  ) -> InspectedTask {
    let task = InspectedTask(
      key: key?.value,
      cause: cause,
      isEffect: isEffect,
      stateEffect: stateEffect,
      isOngoing: isOngoing,
      isTimeManual: isTimeManual,
      run: run
    )
    content.withLock { $0.tasks[task.number] = task }
    return task
  }

  /// Removes the record of a task that has ended, or whose body will never begin.
  func forget(_ task: InspectedTask) {
    // Released outside the lock.
    _ = content.withLock { $0.tasks.removeValue(forKey: task.number) }
  }
}

/// A manual executor's record of a task: its origin, and if it sleeps on a clock that tests control.
@usableFromInline
package final class InspectedTask: Sendable {
  /// The task whose code, or whose child task's code, is running.
  @TaskLocal package static var current: InspectedTask?

  /// The task's position in the order in which tasks were registered.
  package let number = Identity().number

  /// The task's key, if it has one.
  package let key: (any Hashable & Sendable)?

  /// The action that started it; nil if a state effect or a call on the store started it.
  package let cause: (any Sendable)?

  /// `true` if an effect started it.
  package let isEffect: Bool

  /// The declaration of the state effect that started it; nil if there is none.
  package let stateEffect: StateEffectDeclaration?

  /// `true` if callers that wait for the tree to settle don't wait for the task.
  let isOngoing: Bool

  private let begun = AtomicFlag(false)
  private let asleep = AtomicFlag(false)

  /// The identity of the Swift task, which its child tasks don't share; 0 before its body has begun.
  private let identity = AtomicNumber(0)
  private let cancellation = Protected(Cancellation())

  private struct Cancellation: Sendable {
    var isCancelled = false

    /// Cancels the registered task; nil before it is registered.
    var cancel: (@Sendable () -> Void)?
  }

  private let isTimeManual: Bool

  /// Runs the steps that wait in the manual executor. Returns `false` if it was released.
  package let run: @Sendable () -> Bool

  init(
    key: (any Hashable & Sendable)?,
    cause: (any Sendable)?,
    isEffect: Bool,
    stateEffect: StateEffectDeclaration?,
    isOngoing: Bool,
    isTimeManual: Bool,
    run: @escaping @Sendable () -> Bool
  ) {
    self.key = key
    self.cause = cause
    self.isEffect = isEffect
    self.stateEffect = stateEffect
    self.isOngoing = isOngoing
    self.isTimeManual = isTimeManual
    self.run = run
  }

  /// `true` if the task was started; `false` while it waits for its turn or its timer.
  package var hasBegun: Bool { begun.load() }

  /// `true` if the task itself sleeps on a clock that tests control; a sleeping child task doesn't count.
  package var isAsleep: Bool { asleep.load() }

  /// Records that the task falls asleep on a clock that tests control, or wakes up. Ignored in child tasks.
  package func sleep(_ isAsleep: Bool) {
    if identity.loadRelaxed() == Self.currentIdentity { asleep.store(isAsleep) }
  }

  private static var currentIdentity: Int { withUnsafeCurrentTask { $0?.hashValue ?? 0 } }

  /// `true` if the task waits for something that isn't a step of the executor, such as another actor, a callback or
  /// real time. Only meaningful when the executor has no step left.
  package var isElsewhere: Bool { hasBegun ? !isAsleep : !isTimeManual }

  /// Cancels the task, and revokes the actions that it sent.
  package func cancel() {
    let cancel = cancellation.withLock { cancellation in
      cancellation.isCancelled = true
      return cancellation.cancel
    }
    cancel?()
  }

  /// Sets the closure that cancels the task, which is now registered. Called at once if the task is already canceled.
  func whenCancelled(_ cancel: @escaping @Sendable () -> Void) {
    let isCancelled = cancellation.withLock { cancellation in
      cancellation.cancel = cancel
      return cancellation.isCancelled
    }
    if isCancelled { cancel() }
  }

  func begin() {
    begun.store(true)
  }

  /// Wraps an operation so that its code and its child tasks find this record in ``current``.
  @usableFromInline
  func tracking<Input: Sendable, Value>(
    _ operation: @escaping @Sendable (Input) async throws -> Value
  ) -> @Sendable (Input) async throws -> Value {
    { input in
      self.identity.store(Self.currentIdentity)
      return try await InspectedTask.$current.withValue(self) { try await operation(input) }
    }
  }
}

extension Tree {
  /// The inspection of the tree's tasks by a manual executor; nil in production.
  package var taskInspection: TaskInspection? { inspection as? TaskInspection }

  /// Registers a delay, after which a task starts, with the manual executor. Does nothing in production.
  ///
  /// - Parameters:
  ///   - stateEffect: The declaration of the state effect that has the delay.
  ///   - isOngoing: `true` if no caller waits for the task, and so for the delay.
  ///   - stop: Stops the delay; harmless after the delay.
  ///   - cancel: Called when a test cancels the work that waits for the delay.
  /// - Returns: The closure to call when the delay is stopped or over.
  func trackDelay(
    of stateEffect: StateEffectDeclaration,
    isOngoing: Bool = false,
    stop: @escaping @Sendable () -> Void = {},
    whenCancelled cancel: @escaping @Sendable () -> Void = {}
  ) -> @Sendable () -> Void {
    // The closure's owner releases it after calling it.
    let hold = isOngoing ? nil : PendingWork.Hold(on: pending)
    guard let inspection = taskInspection else { return { withExtendedLifetime(hold) { stop() } } }
    let delay = inspection.track(key: nil, cause: nil, isEffect: true, of: stateEffect, isOngoing: isOngoing)
    // Both are weak: the inspection keeps the delay until it is over.
    let end: @Sendable () -> Void = { [weak inspection, weak delay] in
      withExtendedLifetime(hold) { stop() }
      if let delay { inspection?.forget(delay) }
    }
    delay.whenCancelled {
      end()
      cancel()
    }
    return end
  }

  /// Registers a task with the manual executor, and returns its record; nil in production.
  @usableFromInline
  func track(
    _ key: TypedKey?,
    after cause: @autoclosure () -> (any Sendable)?,
    isEffect: Bool,
    in group: EffectGroup? = nil,
    isOngoing: Bool = false
  ) -> InspectedTask? {
    taskInspection?.track(
      key: key, cause: cause(), isEffect: isEffect, of: group?.stateEffect, isOngoing: isOngoing)
  }
}
