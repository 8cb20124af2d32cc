/// The commands and the questions of stores, besides cancelling.
extension TaskScope {
  /// Lets no task with a key begin until the key is resumed, even if no store or feature uses the place any more.
  func suspend(_ key: TaskKey) {
    var consequences = TaskConsequences()
    withTasks(of: key) { content, known, table in
      guard !table.isClosed, known?.lane.isSuspended != true else { return }
      content.suspendedKeys += 1
      content.change(known ?? content.makeTasks(of: key), &consequences) { lane, _ in lane.suspend() }
      if isShared { table.suspended[ObjectIdentifier(self)] = self }
    }
    carryOut(consequences)
  }

  /// Lets tasks with a key begin again.
  func resume(_ key: TaskKey) {
    var consequences = TaskConsequences()
    withTasks(of: key) { content, known, table in
      guard let known, known.lane.isSuspended else { return }
      content.suspendedKeys -= 1
      content.change(known, &consequences) { $0.resume(&$1) }
      // The caller has this scope, so it is not released here.
      if content.suspendedKeys == 0 { table.suspended[ObjectIdentifier(self)] = nil }
    }
    carryOut(consequences)
  }

  /// `true` if a task with a key runs or waits. Outside callbacks, waits for what was accepted before.
  func isRunning(_ key: TaskKey) -> Bool {
    if !tree.isInside { tree.wait(for: "isRunning") {} }
    return withTasks(of: key) { _, keyed, _ in keyed?.lane.hasTasks == true }
  }

  /// Resumes a caller once everything accepted before the call has run and no task is left, cancelled ones included.
  func whenIdle(_ caller: SuspendedCaller) {
    tree.afterAccepted { [self] in
      withLock { content in
        if !caller.isResumed { content.whenIdle.append(caller) }
      }
      resumeIdleWaiters()
    }
  }

  /// Removes a caller that no longer waits.
  func forget(_ caller: SuspendedCaller) {
    withLock { content in content.whenIdle.removeAll { $0 === caller } }
  }

  /// Postpones the end of `whenIdle` waits until each `postponeIdle()` has its `resumeIdle()`.
  func postponeIdle() {
    withLock { content in content.holds += 1 }
  }

  func resumeIdle() {
    let waiting = withLock { content in
      content.holds -= 1
      return content.takeIdle()
    }
    for caller in waiting { caller.resume() }
  }

  /// Resumes the callers that wait for the last task, if no task is left.
  func resumeIdleWaiters() {
    for caller in withLock({ content in content.takeIdle() }) { caller.resume() }
  }

  /// `true` if another store or feature at the same place finds these tasks: it is a place in the node, to which no scope by a
  /// function leads.
  private var isShared: Bool {
    var scope = self
    while scope.place != nil, let parent = scope.parent { scope = parent }
    return scope !== self && scope.parent == nil
  }
}
