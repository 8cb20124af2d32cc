internal import Synchronization

/// The knowledge that a manual executor has of a tree: its tasks, and that somebody is about to wait for it.
///
/// From any thread.
@usableFromInline
package final class TaskInspection: TreeInspection {
  private struct Content: Sendable {
    var tasks: [UInt64: InspectedTask] = [:]
    var willWait: (@Sendable () -> Void)?
  }

  private let content = Protected(Content())

  private let isTimeManual: Bool
  private let run: @Sendable () -> Void

  /// - Parameters:
  ///   - isTimeManual: Whether the tree's clock is moved by hand.
  ///   - run: Runs what waits for who runs the tree.
  package init(isTimeManual: Bool, run: @escaping @Sendable () -> Void) {
    self.isTimeManual = isTimeManual
    self.run = run
  }

  /// The tasks that have come and not ended, in the order in which they came.
  package var tasks: [InspectedTask] {
    content.withLock { Array($0.tasks.values) }.sorted { $0.number < $1.number }
  }

  /// Calls a closure whenever a thread, which is in none of the tree's callbacks, is about to run what was accepted because
  /// it waits for it; nil for none.
  package func whenWaiting(_ willWait: (@Sendable () -> Void)?) {
    // What was there is released outside the lock.
    _ = content.withLock { content in
      defer { content.willWait = willWait }
      return content.willWait
    }
  }

  @usableFromInline
  package func willWait() {
    content.withLock { $0.willWait }?()
  }

  /// Makes a task known that has come.
  func track(key: TaskKey?, cause: (any Sendable)?, isEffect: Bool) -> InspectedTask {
    let task = InspectedTask(key: key?.value, cause: cause, isEffect: isEffect, isTimeManual: isTimeManual, run: run)
    content.withLock { $0.tasks[task.number] = task }
    return task
  }

  /// A task has ended, or its body will never begin.
  func forget(_ task: InspectedTask) {
    // Released outside the lock.
    _ = content.withLock { $0.tasks.removeValue(forKey: task.number) }
  }
}

/// A task of a tree that is run by hand: who it is, and whether it sleeps on a clock that is moved by hand.
@usableFromInline
package final class InspectedTask: Sendable {
  /// The task whose code is running, or that of which it is a part.
  @TaskLocal package static var current: InspectedTask?

  /// Its place in the order in which tasks came.
  package let number = Identity().number

  /// The task's key, if it has one.
  package let key: (any Hashable & Sendable)?

  /// The action that set it off; nil if it was a state, or if the store was told to start it.
  package let cause: (any Sendable)?

  /// `true` if it is an effect's.
  package let isEffect: Bool

  private let begun = Atomic(false)
  private let asleep = Atomic(false)

  /// The identity of the language's task, which its parts do not have; 0 before its body has begun.
  private let identity = Atomic(0)
  private let registered = Protected<@Sendable () -> Void>({})

  private let isTimeManual: Bool

  /// Runs what waits for who runs the tree.
  package let run: @Sendable () -> Void

  init(
    key: (any Hashable & Sendable)?,
    cause: (any Sendable)?,
    isEffect: Bool,
    isTimeManual: Bool,
    run: @escaping @Sendable () -> Void
  ) {
    self.key = key
    self.cause = cause
    self.isEffect = isEffect
    self.isTimeManual = isTimeManual
    self.run = run
  }

  /// `true` if its body has begun; else it waits for its turn.
  package var hasBegun: Bool { begun.load(ordering: .acquiring) }

  /// `true` if it sleeps on a clock that is moved by hand: it itself, for while a part of it does, others may be elsewhere.
  package var isAsleep: Bool { asleep.load(ordering: .acquiring) }

  /// It goes to sleep on a clock that is moved by hand, or is woken, if it is it itself whose code is running.
  package func sleep(_ isAsleep: Bool) {
    if identity.load(ordering: .relaxed) == Self.currentIdentity { asleep.store(isAsleep, ordering: .releasing) }
  }

  private static var currentIdentity: Int { withUnsafeCurrentTask { $0?.hashValue ?? 0 } }

  /// `true` if it waits for what no step brings: something outside, or real time.
  package var isElsewhere: Bool { hasBegun ? !isAsleep : !isTimeManual }

  /// Cancels it, and revokes what it has sent.
  package func cancel() {
    registered.withLock { $0 }()
  }

  /// It has its place in a table, by which it is cancelled.
  func whenCancelled(_ cancel: @escaping @Sendable () -> Void) {
    registered.withLock { $0 = cancel }
  }

  func begin() {
    begun.store(true, ordering: .releasing)
  }

  /// An operation whose parts know that they are this task's.
  @usableFromInline
  func tracking<Input: Sendable, Value>(
    _ operation: @escaping @Sendable (Input) async throws -> Value
  ) -> @Sendable (Input) async throws -> Value {
    { input in
      self.identity.store(Self.currentIdentity, ordering: .relaxed)
      return try await InspectedTask.$current.withValue(self) { try await operation(input) }
    }
  }
}

extension Tree {
  /// The inspection of the tree's tasks by a manual executor; nil in production.
  package var taskInspection: TaskInspection? {
    // An executor that looks at all looks at tasks.
    inspection.map { unsafeDowncast($0, to: TaskInspection.self) }
  }

  /// Makes a delay, behind which there will be a task, known to who runs the tree by hand, if anybody does.
  ///
  /// - Parameter stop: What stops it; harmless once it is over.
  /// - Returns: What stops it, or tells that it is over.
  func trackDelay(_ stop: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    guard let inspection = taskInspection else { return stop }
    let delay = inspection.track(key: nil, cause: nil, isEffect: true)
    // Neither holds the other: the inspection holds the delay, until it is over.
    let end: @Sendable () -> Void = { [weak inspection, weak delay] in
      stop()
      if let delay { inspection?.forget(delay) }
    }
    delay.whenCancelled(end)
    return end
  }

  /// Makes a task known to who runs the tree by hand; nil if nobody does.
  @usableFromInline
  func track(_ key: TaskKey?, after cause: @autoclosure () -> (any Sendable)?, isEffect: Bool) -> InspectedTask? {
    taskInspection?.track(key: key, cause: cause(), isEffect: isEffect)
  }
}
