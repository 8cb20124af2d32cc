internal import Dispatch

// The life of a task:
//
// made         ActionSink+Tasks (a task of a store) or ActionSink+Effects (a task of an effect) makes a
//              `RegisteredTask`.
// registered   `add`, before the call returns: TaskTableContent gives it a number and, by its key, a `TaskLane`, which
//              decides by the mode whether it starts, waits or is dropped. All decisions are made under the lock, all
//              calls after it.
// started      `begin` makes the Swift task, whose body sends actions by a `TaskSender`. They can be revoked while they
//              wait.
// ended        `end`, when the body returns; with a key, once the actions that it has sent have had their turn, so that
//              it does not depend on chance whether another task of the key finds it. While actions of the task wait, or its
//              `dispatch` is kept, its sender lives: the task can still be cancelled, which revokes them. The sender's
//              release forgets the task.
// cancelled    TaskTable+Cancel, by key or number; or with the owner, by `close`; or with an optional scope, by
//              `presenceChanged`.
//
// Three files name each other, because none can be understood, or changed, without the others: a table, its content
// under the lock, and a registered task, which ends in its table.

/// The tasks of one attachment host, a store's node or a scope with its own type of actions; each has its own keys.
///
/// - From any thread. A task is registered from before it starts until its body has ended, and is then kept for as long
///   as an action of it may still arrive.
/// - The lock is taken once for all that an event changes; calls to other code follow after the lock was released.
@usableFromInline
final class TaskTable: Attachment, @unchecked Sendable {
  // Sendable because its lock guards all that varies.

  @usableFromInline let tree: Tree
  let content = Protected(TaskTableContent())

  /// The store to which monitors attribute the tasks; nil if the tree has no monitors.
  private let monitored: MonitoredStore?

  /// The table of the host around this one, which closes this table; nil for a node's table, which the node closes.
  private let enclosing: TaskTable?

  init(of host: AttachmentHost) {
    tree = host.tree
    monitored = host.monitored
    enclosing = host.parent?.tasks
    super.init()
    // The tables of scopes are found through this one.
    if enclosing == nil { tree.pending.add(source: self) }
  }

  // MARK: The life of a task

  /// Registers a task, and begins it when its mode says so; drops it at once if the store's owner is gone.
  ///
  /// - Parameters:
  ///   - place: The place that was reserved for the task; nil if none was. If it was given up, the task is dropped.
  ///   - cause: The cause of the task; nil if that is the code that runs here and now.
  @usableFromInline
  func add(
    _ task: RegisteredTask,
    key: TaskKey?,
    mode: TaskMode,
    at place: UInt64? = nil,
    causedBy cause: ActionCause? = nil
  ) {
    enclosing?.adopt(self)
    if !task.isOngoing { tree.pending.begin() }
    if let monitored { task.identify(in: monitored, key: key, causedBy: cause) }
    var consequences = TaskConsequences()
    task.inspected?.whenCancelled { [weak task] in
      if let task { task.table.cancel(task.number) }
    }
    let notRunning = withTasks(of: key) { content, known in
      guard !content.isClosed, place.map(content.isReserved) != false else { return nil as [Int]? }
      // A task that may wait needs a lane even without a key, if only for its timer.
      let keyed = known ?? (key == nil && mode == .parallel ? nil : content.makeTasks(of: key))
      content.register(task, in: keyed, mode, at: place, &consequences)
      return task.presence?.start() ?? []
    }
    tree.executor.mayInterrupt(tree)
    carryOut(consequences)
    guard let notRunning else {
      Tree.releaseLater(task)
      task.forgetTracked()
      task.sender?.end()
      task.outcome?.settle(.failure(CancellationError()))
      task.group?.leave(isCancelled: true)
      if !task.isOngoing { tree.pending.end() }
      return
    }
    guard let presence = task.presence else { return }
    for number in notRunning {
      presence.sources[number].connect { [self] id in presenceChanged(presence, to: id, from: number) }
    }
    guard presence.isIdentifiable else { return }
    // The task belongs to the value that there is when everything accepted before has run.
    tree.afterAccepted { [self, number = task.number] in
      content.withLock { content in content.tasks[number]?.exchanges = presence.exchanges }
    }
  }

  /// Ends a task whose body has ended: with a key, once the actions that it has sent have had their turn.
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
    let (sender, isDropped, waiting) = content.withLock { content in
      let sender = content.end(task, &consequences)
      // Tasks that follow in the group are registered before `whenIdle` callers are resumed.
      if task.group != nil { content.holds += 1 }
      return (sender, task.isDropped, content.takeIdle())
    }
    // A dropped task was already reported as cancelled, or will be.
    if !isDropped { task.report(sender.isOver ? .failure(CancellationError()) : result) }
    carryOut(consequences)
    for caller in waiting { caller.resume() }
    task.outcome?.settle(sender.isOver ? .failure(CancellationError()) : result)
    if let group = task.group {
      group.leave(isCancelled: sender.isOver)
      resumeIdle()
    }
    // Last: what follows the task in its group has been registered.
    if !task.isOngoing { tree.pending.end() }
  }

  /// Forgets a task that has ended: nothing can be sent for it any more.
  func forget(_ number: UInt64) {
    // Released outside the lock.
    var keyed: KeyedTasks?
    var consequences = TaskConsequences()
    content.withLock { content in
      keyed = content.ended.removeValue(forKey: number)?.keyed
      if let keyed { content.change(keyed, &consequences) { lane, _ in lane.forget(number) } }
    }
    carryOut(consequences)
  }

  private func ring(_ timer: UInt64, of keyed: KeyedTasks) {
    var consequences = TaskConsequences()
    content.withLock { content in
      content.change(keyed, &consequences) { $0.ring(timer, &$1) }
    }
    carryOut(consequences)
  }

  /// Carries out what could not be done under the lock.
  func carryOut(_ consequences: TaskConsequences) {
    for (task, hasBegun, work) in consequences.dropped {
      // This may be the last reference to the task's operation.
      Tree.releaseLater(task)
      // If the Swift task does not exist yet, `begin(_:)` reports the cancellation and cancels it.
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
        // Retained: while only a window is open, nobody else may have the table of a place.
        self.ring(number, of: keyed)
      }
      let isAwaited = content.withLock { _ in
        let isAwaited = keyed.lane.isAwaiting(number)
        if isAwaited { keyed.timers.append((number, stop)) }
        return isAwaited
      }
      if !isAwaited { stop() }
    }
    if !consequences.dropped.isEmpty { resumeIdleWaiters() }
  }

  private func begin(_ task: RegisteredTask) {
    task.inspected?.begin()
    task.report { .taskStarted($0) }
    let work = task.begin(task)
    let isDropped = content.withLock { _ in
      task.work = work
      return task.isDropped
    }
    guard isDropped else { return }
    task.report { .taskCancelled($0) }
    work.cancel()
  }

  /// Resumes the callers that wait for the last task, if no task is left.
  private func resumeIdleWaiters() {
    for caller in content.withLock({ content in content.takeIdle() }) { caller.resume() }
  }

  // MARK: Questions and commands of a store

  /// `true` if a task with a key runs or waits. Outside callbacks, waits for what was accepted before.
  func isRunning(_ key: TaskKey) -> Bool {
    if !tree.isInside { tree.wait(for: "isRunning") {} }
    return withTasks(of: key) { _, keyed in keyed?.lane.hasTasks == true }
  }

  /// Resumes a caller once everything accepted before the call has run and no task is left, cancelled ones included.
  func whenIdle(_ caller: SuspendedCaller) {
    tree.afterAccepted { [self] in
      content.withLock { content in
        if !caller.isResumed { content.whenIdle.append(caller) }
      }
      resumeIdleWaiters()
    }
  }

  /// Removes a caller that no longer waits.
  func forget(_ caller: SuspendedCaller) {
    content.withLock { content in content.whenIdle.removeAll { $0 === caller } }
  }

  /// Postpones the end of `whenIdle` waits until each `postponeIdle()` has its `resumeIdle()`.
  func postponeIdle() {
    content.withLock { content in content.holds += 1 }
  }

  func resumeIdle() {
    let waiting = content.withLock { content in
      content.holds -= 1
      return content.takeIdle()
    }
    for caller in waiting { caller.resume() }
  }

  // MARK: The lanes

  /// Calls a closure under the lock with the tasks of a key, if there are any.
  ///
  /// - Keys are compared outside the lock, because comparing them is user code.
  func withTasks<Result>(
    of key: TaskKey?,
    _ body: (inout TaskTableContent, KeyedTasks?) -> Result
  ) -> Result {
    guard let key else { return content.withLock { content in body(&content, nil) } }
    var candidates: (first: KeyedTasks?, others: [KeyedTasks]) = (nil, [])
    while true {
      let isFirst = candidates.first?.key == key
      let keyed = isFirst ? candidates.first : candidates.others.first { $0.key == key }
      let (result, found) = content.withLock { content in
        let found = content.keyedTasks(of: key.hash)
        let isKnown = found.first === candidates.first && found.others.elementsEqual(candidates.others, by: ===)
        return (isKnown ? body(&content, keyed) : nil, found)
      }
      if let result { return result }
      candidates = found
    }
  }

  // MARK: The life of the store

  /// Registers the table of a scope inside this one, once, to be closed with this table.
  private func adopt(_ table: TaskTable) {
    let isNew = table.content.withLock { content in
      defer { content.isAdopted = true }
      return !content.isAdopted
    }
    guard isNew else { return }
    enclosing?.adopt(self)
    let isClosed = content.withLock { content in
      if content.scopes.count == content.scopes.capacity { content.scopes.removeAll { $0.table == nil } }
      content.scopes.append(TaskTableContent.WeakTable(table: table))
      return content.isClosed
    }
    if isClosed { table.close() }
  }

  /// Cancels the tasks, as the store's owner is gone; actions that they have already sent are not revoked.
  ///
  /// - Cancellation handlers are user code, which a release must not run: they run on a global queue.
  /// - The tables of scopes are closed in the order of their oldest tasks. They come and go with their tasks, so that
  ///   the order in which they were made says nothing.
  override func close() {
    let (isEmpty, scopes) = content.withLock { content in
      content.isClosed = true
      for task in content.tasks.values { task.sender?.end() }
      return (content.tasks.isEmpty && content.keyedTasks.isEmpty, content.scopes.compactMap(\.table))
    }
    let oldest = scopes.map { scope in (task: scope.oldestTask, scope) }
    for (_, scope) in oldest.sorted(by: { $0.task < $1.task }) { scope.close() }
    guard !isEmpty else { return }
    tree.executor.deliver(on: .global()) { self.cancelAll(isRevoking: false) }
  }
}
