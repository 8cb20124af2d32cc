internal import Dispatch

// The life of a task:
//
// - made: ActionSink+Tasks (a task of a store) or ActionSink+Effects (a task of an effect) makes a `RegisteredTask`.
// - registered: `add`, before the call returns. TaskScopeContent assigns a number and, by the key, a `TaskLane`, which
//   decides by the mode if the task starts, waits or is dropped. All decisions are made under the lock, all calls after
//   it.
// - started: `begin` makes the Swift task, whose body sends actions through an `ActionSender`: ActionSink+Tasks
//   `makeDispatch` submits each as `.revocable`. StateNode+Step `run` checks the sender before the interceptors and
//   after them.
// - ended: `end`, when the body returns. With a key, it is called after everything accepted by then has had its turn,
//   except for entries that wait at a gate, because tasks continue meanwhile. So timing doesn't decide if another task
//   of the key finds it. While actions of the task wait, or its `dispatch` is kept, its sender lives: the task can
//   still be canceled, which revokes them. The sender's release forgets the task.
// - canceled: by key or number (TaskScope+Cancel); or dropped by the mode of another task of its key (TaskLane); or
//   with the owner, in `close`; or because its part is gone. There are two ways to notice that, because a feature reads
//   its part in the step, and a store's scope is observed. For a task of an effect, EffectPerformer `cancelGone`
//   (WatchedEffects) cancels the group. For a task of a store, `presenceChanged` (ScopePresence) cancels it. The body
//   of a canceled task continues until it returns.
//
// Three files refer to each other, because none can be understood, or changed, without the others: a scope, its content
// under the lock, and a registered task, which ends in its scope.

/// The tasks of a node, or of a place in its state where stores or features have their own type of actions.
///
/// - Each scope has its own keys.
/// - May be used from any thread. A task is registered from before it starts until it has ended, and is then kept for
///   as long as one of its actions may still arrive.
/// - The lock is taken once for everything that an event changes; calls to other code follow after the lock is
///   released.
@usableFromInline
final class TaskScope: Attachment, @unchecked Sendable {
  // Sendable because the table's lock guards its variables.

  @usableFromInline let tree: Tree
  let table: TaskTable

  /// The enclosing scope; nil for a node's scope.
  let parent: TaskScope?

  /// The place in the enclosing scope; nil for a node, and for a scope made with a function, which isn't shared.
  let place: ScopePlace?

  @exclusivity(unchecked)
  private var content = TaskScopeContent()

  /// Makes the scope of a node.
  init(of host: AttachmentHost) {
    tree = host.tree
    table = TaskTable(of: host)
    (parent, place) = (nil, nil)
    // The scopes of places are found through this one.
    tree.pending.add(source: self)
  }

  /// Makes the scope of a place.
  init(at place: ScopePlace?, in parent: TaskScope) {
    tree = parent.tree
    table = parent.table
    self.parent = parent
    self.place = place
  }

  /// Calls a closure with the content, under the table's lock.
  func withLock<Result>(_ body: (inout TaskScopeContent) -> Result) -> Result {
    table.content.withLock { _ in body(&content) }
  }

  /// Calls a closure with the content of this scope and of the table, under the table's lock.
  func withTable<Result>(_ body: (inout TaskScopeContent, inout TaskTable.Content) -> Result) -> Result {
    table.content.withLock { table in body(&content, &table) }
  }

  // MARK: The life of a task

  /// Registers a task, and begins it when its mode allows. Drops it at once if the store's owner is gone.
  ///
  /// - Parameters:
  ///   - reservation: The reservation that was made for the task; nil if none was. If it was given up, the task is
  ///     dropped.
  ///   - cause: The cause of the task; nil if it is the code that runs here and now.
  @usableFromInline
  func add(
    _ task: RegisteredTask,
    key: TypedKey?,
    mode: TaskMode,
    reservation: UInt64? = nil,
    causedBy cause: ActionCause? = nil
  ) {
    if !task.isOngoing { tree.pending.begin() }
    if let monitored = table.monitored { task.identify(in: monitored, key: key, causedBy: cause) }
    var consequences = TaskConsequences()
    let isRegistered = withTasks(of: key) { content, known, table in
      guard !table.isClosed, reservation.map(content.isReserved) != false else { return false }
      // A task that may wait needs a lane even without a key, if only for its timer.
      let keyed = known ?? (key == nil && mode == .parallel ? nil : content.makeTasks(of: key))
      content.register(task, in: keyed, mode, reservation: reservation, &consequences)
      return true
    }
    tree.executor.mayInterrupt(tree)
    carryOut(consequences)
    task.inspected?.whenCancelled { [weak task] in
      if let task { task.scope.cancel(task.number) }
    }
    guard isRegistered else {
      Tree.releaseLater(task)
      task.forgetTracked()
      task.sender?.end()
      task.outcome?.settle(.failure(CancellationError()))
      task.group?.leave(isCancelled: true)
      if !task.isOngoing { tree.pending.end() }
      return
    }
    if let presence = task.presence { watch(presence, for: task.number) }
  }

  /// Ends a task whose body has ended. With a key, the task ends after the actions that it sent have had their turn.
  @usableFromInline
  func end(_ task: RegisteredTask, _ result: Result<any Sendable, any Error>) {
    task.forgetTracked()
    guard task.keyed?.key != nil, !tree.mailbox.withLock({ $0.hasRunAll }) else { return endNow(task, result) }
    tree.afterAccepted { [self] in
      // The entry may be their last owner.
      Tree.releaseLater(ReleaseBatch([(task, result)]))
      endNow(task, result)
    }
  }

  private func endNow(_ task: RegisteredTask, _ result: Result<any Sendable, any Error>) {
    var consequences = TaskConsequences()
    let (sender, isDropped) = withLock { content in (content.end(task, &consequences), task.isDropped) }
    // A dropped task was already reported as canceled, or will be.
    if !isDropped { task.report(sender.isOver ? .failure(CancellationError()) : result) }
    carryOut(consequences)
    task.outcome?.settle(sender.isOver ? .failure(CancellationError()) : result)
    task.group?.leave(isCancelled: sender.isOver)
    // Called last, because anything that follows the task in its group is registered by now.
    if !task.isOngoing { tree.pending.end() }
  }

  /// Forgets an ended task: it can't send anything anymore.
  func forget(_ number: UInt64) {
    // Released outside the lock.
    var keyed: KeyedTasks?
    var consequences = TaskConsequences()
    withLock { content in
      keyed = content.ended.removeValue(forKey: number)?.keyed
      if let keyed { content.change(keyed, &consequences) { lane, _ in lane.forget(number) } }
    }
    carryOut(consequences)
  }

  private func ring(_ timer: UInt64, of keyed: KeyedTasks) {
    var consequences = TaskConsequences()
    withLock { content in
      content.change(keyed, &consequences) { $0.ring(timer, &$1) }
    }
    carryOut(consequences)
  }

  /// Carries out everything that couldn't be done under the lock.
  func carryOut(_ consequences: TaskConsequences) {
    for (task, hasBegun, work) in consequences.dropped {
      // This may be the last reference to the task's operation.
      Tree.releaseLater(task)
      // If the Swift task doesn't exist yet, `begin(_:)` reports the cancellation and cancels it.
      if let work {
        task.report { .taskCancelled($0) }
        work.cancel()
      }
      task.outcome?.settle(.failure(CancellationError()))
      // A task that has begun leaves its group when its body ends.
      guard !hasBegun else { continue }
      task.forgetTracked()
      task.group?.leave(isCancelled: true)
      if !task.isOngoing { tree.pending.end() }
    }
    if let task = consequences.started { begin(task) }
    for task in consequences.othersStarted { begin(task) }
    for timer in consequences.stale { timer.stop() }
    for (keyed, number, duration) in consequences.timers {
      let stop = tree.executor.schedule(after: duration, on: tree.clock) {
        // Retained: while only a window is open, this closure may be the scope's only owner.
        self.ring(number, of: keyed)
      }
      let isAwaited = withLock { _ in
        let isAwaited = keyed.lane.isAwaiting(number)
        if isAwaited { keyed.timers.append((number, stop)) }
        return isAwaited
      }
      if !isAwaited { stop() }
    }
  }

  private func begin(_ task: RegisteredTask) {
    task.inspected?.begin()
    task.report { .taskStarted($0) }
    let swiftTask = task.makeSwiftTask(task)
    let isDropped = withLock { _ in
      task.swiftTask = swiftTask
      return task.isDropped
    }
    guard isDropped else { return }
    task.report { .taskCancelled($0) }
    swiftTask.cancel()
  }

  // MARK: The tasks of a key

  /// Calls a closure under the lock with the tasks of a key, if there are any.
  ///
  /// - Keys are compared outside the lock, because comparing them is user code.
  func withTasks<Result>(
    of key: TypedKey?,
    _ body: (inout TaskScopeContent, KeyedTasks?, inout TaskTable.Content) -> Result
  ) -> Result {
    guard let key else { return withTable { content, table in body(&content, nil, &table) } }
    var candidates: (first: KeyedTasks?, others: [KeyedTasks]) = (nil, [])
    while true {
      let isFirst = candidates.first?.key == key
      let keyed = isFirst ? candidates.first : candidates.others.first { $0.key == key }
      let (result, found) = withTable { content, table in
        let found = content.keyedTasks(of: key.hash)
        let isKnown = found.first === candidates.first && found.others.elementsEqual(candidates.others, by: ===)
        return (isKnown ? body(&content, keyed, &table) : nil, found)
      }
      if let result { return result }
      candidates = found
    }
  }

  // MARK: The life of the store

  /// Cancels the tasks of the node and of all its places, because the node's owner is gone. Doesn't revoke actions that
  /// they already sent.
  ///
  /// - Cancellation handlers are user code, which a release must not run, so they run on a global queue.
  package func close() {
    // No task is registered after this. The scopes have users' keys, which this release must not release.
    let suspended = table.content.withLock { table in
      table.isClosed = true
      defer { table.suspended = [:] }
      return table.suspended
    }
    if !suspended.isEmpty { Tree.releaseLater(ReleaseBatch(Array(suspended.values))) }
    let scopes = TaskScope.inOrder([self])
    let areEmpty = scopes.map { scope in
      scope.withLock { content in
        for task in content.tasks.values { task.sender?.end() }
        return content.isEmpty
      }
    }
    guard areEmpty.contains(false) else { return }
    tree.executor.deliver(on: .global()) {
      for scope in scopes { scope.cancelAll(isRevoking: false) }
    }
  }
}

/// The lock of all tasks of a node, and the scopes that it keeps because of their suspended keys.
///
/// Each ``TaskScope`` of the node stores its own tasks, by their keys, and takes this lock to read or change them.
final class TaskTable: Sendable {
  struct Content: Sendable {
    /// `true` after the node's owner is gone. No more tasks are registered.
    var isClosed = false

    /// The scopes of places that have suspended keys. They last until the keys are resumed or the node's owner is gone.
    var suspended: [ObjectIdentifier: TaskScope] = [:]
  }

  let tree: Tree

  /// The store to which monitors attribute the tasks; nil if the tree has no monitors.
  let monitored: MonitoredStore?

  let content = Protected(Content())

  init(of host: AttachmentHost) {
    tree = host.tree
    monitored = host.monitored
  }
}
