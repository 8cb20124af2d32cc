internal import Dispatch

/// The tasks of a store, or of a scope with its own type of actions: each has keys of its own.
///
/// - From any thread. A task is known here from before it starts until its body has ended, and for as long after that as
///   anything may send for it.
/// - All that an event changes is changed in one locking; what calls others is done behind it.
@usableFromInline
final class TaskTable: Attachment, @unchecked Sendable {
  // Sendable because its lock guards all that varies.

  @usableFromInline let tree: Tree
  let content = Protected(TaskTableContent())

  /// The store that monitors are told the tasks belong to; nil if there are none.
  private let monitored: MonitoredStore?

  /// Watches that report whether what the tasks belong to exists. Empty if it always does.
  private let presences: [AttachmentHost.PresenceSource]

  /// The table that closes this one; nil if the node itself does.
  private let enclosing: TaskTable?

  init(of host: AttachmentHost) {
    tree = host.tree
    monitored = host.monitored
    presences = host.presences
    enclosing = host.parent?.tasks
    super.init()
  }

  // MARK: The life of a task

  /// Takes a task in, and begins it when its mode says so; drops it if the store's owner is gone.
  @usableFromInline
  func add(_ task: RegisteredTask, key: TaskKey?, mode: TaskMode) {
    enclosing?.adopt(self)
    task.monitored = monitored.map { MonitoredTask(store: $0, id: Identity().number, key: key?.value) }
    var consequences = TaskConsequences()
    task.tracked?.whenCancelled { [weak task] in
      if let task { task.table.cancel(task.number) }
    }
    let missing = withLane(of: key) { content, known in
      guard !content.isClosed else { return nil as [Int]? }
      // One that is to wait is known by something, if only to its timer.
      let lane = known ?? (key == nil && mode == .parallel ? nil : content.makeLane(of: key))
      content.register(task, in: lane, mode, &consequences)
      return content.takeMissingPresences(presences.indices)
    }
    finish(consequences)
    guard let missing else {
      Tree.releaseLater(task)
      task.forgetTracked()
      task.sender?.end()
      task.outcome?.settle(.failure(CancellationError()))
      task.group?.leave(isCancelled: true)
      return
    }
    for number in missing {
      let watch = presences[number]
      watch { [self] isThere in notice(isThere: isThere, by: number) }
    }
  }

  /// The body of a task has ended.
  @usableFromInline
  func end(_ task: RegisteredTask, _ result: Result<any Sendable, any Error>) {
    var consequences = TaskConsequences()
    let (sender, isDropped, waiting) = content.withLock { content in
      let sender = content.end(task, &consequences)
      // What follows in its group is registered before anyone is told that no task is left.
      if task.group != nil { content.holds += 1 }
      return (sender, task.isDropped, content.takeIdle())
    }
    // One that was dropped was told as that, or will be.
    task.forgetTracked()
    if !isDropped { task.report(sender.isOver ? .failure(CancellationError()) : result) }
    finish(consequences)
    for wake in waiting { wake() }
    if let group = task.group {
      group.leave(isCancelled: sender.isOver)
      release()
    }
    task.outcome?.settle(sender.isOver ? .failure(CancellationError()) : result)
  }

  /// Nothing can be sent any more for a task that has ended.
  func forget(_ number: UInt64) {
    // Released outside the lock.
    var lane: TaskKeyEntry?
    var consequences = TaskConsequences()
    content.withLock { content in
      lane = content.ended.removeValue(forKey: number)?.lane
      if let lane { content.change(lane, &consequences) { tasks, _ in tasks.forget(number) } }
    }
    finish(consequences)
  }

  private func ring(_ timer: UInt64, of lane: TaskKeyEntry) {
    var consequences = TaskConsequences()
    content.withLock { content in
      content.change(lane, &consequences) { $0.ring(timer, &$1) }
    }
    finish(consequences)
  }

  /// Does what could not be done under the lock.
  func finish(_ consequences: TaskConsequences) {
    for (task, hasBegun, work) in consequences.dropped {
      // It may be the last that holds its operation.
      Tree.releaseLater(task)
      // Without it that is told behind the beginning.
      if let work {
        task.report { .taskCancelled($0) }
        work.cancel()
      }
      task.outcome?.settle(.failure(CancellationError()))
      // Else it leaves when its body ends.
      guard !hasBegun else { continue }
      task.forgetTracked()
      task.group?.leave(isCancelled: true)
    }
    if let task = consequences.started { begin(task) }
    for task in consequences.othersStarted { begin(task) }
    for timer in consequences.stale { timer.stop() }
    for (lane, number, duration) in consequences.timers {
      let stop = tree.executor.schedule(after: duration, on: tree.clock) { [weak self] in
        self?.ring(number, of: lane)
      }
      let isAwaited = content.withLock { _ in
        let isAwaited = lane.tasks.isAwaiting(number)
        if isAwaited { lane.timers.append((number, stop)) }
        return isAwaited
      }
      if !isAwaited { stop() }
    }
    if !consequences.dropped.isEmpty { settle() }
  }

  private func begin(_ task: RegisteredTask) {
    task.tracked?.begin()
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

  /// Lets those know who wait for the last task.
  private func settle() {
    for wake in content.withLock({ content in content.takeIdle() }) { wake() }
  }

  // MARK: What a store asks of its tasks

  /// `true` if a task with a key runs or waits, behind what was accepted before.
  func isRunning(_ key: TaskKey) -> Bool {
    if !tree.isInside { tree.wait(for: "isRunning") {} }
    return withLane(of: key) { _, lane in lane?.tasks.isRunning == true }
  }

  /// Calls a closure as soon as no task runs or waits, behind what was accepted before.
  func whenIdle(_ wake: @escaping @Sendable () -> Void) {
    tree.afterAccepted { [self] in
      content.withLock { content in content.whenIdle.append(wake) }
      settle()
    }
  }

  /// Does something at whose end there may be others in the place of those tasks that it ends.
  func withIdleHeld(_ body: () -> Void) {
    hold()
    body()
    release()
  }

  /// Lets nobody be told that no task is left, until as many releases.
  func hold() {
    content.withLock { content in content.holds += 1 }
  }

  func release() {
    let waiting = content.withLock { content in
      content.holds -= 1
      return content.takeIdle()
    }
    for wake in waiting { wake() }
  }

  // MARK: The lanes

  /// Calls a closure under the lock with the tasks of a key, if there are any.
  ///
  /// - Keys are compared outside the lock: to compare them is user code.
  func withLane<Result>(
    of key: TaskKey?,
    _ body: (inout TaskTableContent, TaskKeyEntry?) -> Result
  ) -> Result {
    guard let key else { return content.withLock { content in body(&content, nil) } }
    var candidates: (first: TaskKeyEntry?, others: [TaskKeyEntry]) = (nil, [])
    while true {
      let isFirst = candidates.first?.key == key
      let lane = isFirst ? candidates.first : candidates.others.first { $0.key == key }
      let (result, found) = content.withLock { content in
        let found = content.lanes(of: key.hash)
        let isKnown = found.first === candidates.first && found.others.elementsEqual(candidates.others, by: ===)
        return (isKnown ? body(&content, lane) : nil, found)
      }
      if let result { return result }
      candidates = found
    }
  }

  // MARK: The life of the store

  /// Closes a table with this one.
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

  /// Takes whether the place of the tasks exists. Called in each step while there are tasks.
  ///
  /// - Those that were registered behind what is still to come are not of this state.
  private func notice(isThere: Bool, by watch: Int) -> ObserverStatus {
    var consequences = TaskConsequences()
    let status = content.withLock { content in
      if !isThere {
        content.cancelAll(isRevoking: false, where: { $0.position <= tree.begun }, &consequences)
      }
      guard content.tasks.isEmpty || content.isClosed else { return ObserverStatus.active }
      content.runningPresences.remove(watch)
      return .dead
    }
    finish(consequences)
    return status
  }

  /// The store's owner is gone: its tasks are cancelled, but what they have sent is not revoked.
  ///
  /// - A release runs no user code, so what may is done elsewhere.
  override func close() {
    let (isEmpty, scopes) = content.withLock { content in
      content.isClosed = true
      for task in content.tasks.values { task.sender?.end() }
      return (content.tasks.isEmpty && content.lanes.isEmpty, content.scopes.compactMap(\.table))
    }
    for scope in scopes { scope.close() }
    guard !isEmpty else { return }
    tree.executor.deliver(on: .global()) { self.cancelAll(isRevoking: false) }
  }
}

extension AttachmentHost {
  /// The tasks that belong here.
  @usableFromInline var tasks: TaskTable { attachments.object { TaskTable(of: self) }.takeUnretainedValue() }
}
