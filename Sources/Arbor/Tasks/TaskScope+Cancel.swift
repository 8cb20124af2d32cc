/// Cancels registered tasks at once; outside the tree's callbacks also those that the waiting entries will start.
extension TaskScope {
  /// Cancels a task, running, waiting or ended, and revokes the actions that it has sent.
  @usableFromInline
  func cancel(_ number: UInt64) {
    var consequences = TaskConsequences()
    withLock { content in content.cancel(number, &consequences) }
    carryOut(consequences)
  }

  /// Cancels all tasks with a key, and revokes the actions that they have sent; called outside the tree's callbacks,
  /// also the tasks that the entries accepted before the call will start.
  func cancel(_ key: TaskKey) {
    cancelAlsoLater(key) { cancelRegistered(key) }
  }

  /// Cancels all tasks with a key that are registered now.
  ///
  /// - Returns: The number of the last task that was registered, with any key or none.
  @discardableResult
  @usableFromInline
  func cancelRegistered(_ key: TaskKey) -> UInt64 {
    var consequences = TaskConsequences()
    let last = withTasks(of: key) { content, keyed, _ in
      if let keyed { content.change(keyed, &consequences) { $0.cancelAll(&$1) } }
      return content.lastNumber
    }
    carryOut(consequences)
    return last
  }

  /// Cancels all tasks, with and without keys, in the same way as those of one key.
  func cancelAll() {
    cancelAlsoLater(nil) { cancelAll(isRevoking: true) }
  }

  @discardableResult
  func cancelAll(isRevoking: Bool) -> UInt64 {
    var consequences = TaskConsequences()
    let last = withLock { content in
      content.cancelAll(isRevoking: isRevoking, where: { _ in true }, &consequences)
      for number in isRevoking ? Array(content.ended.keys) : [] { content.cancel(number, &consequences) }
      content.closeWindows(&consequences)
      return content.lastNumber
    }
    carryOut(consequences)
    return last
  }

  /// Cancels the registered tasks and, after the entries that wait now, the tasks that those entries have started.
  ///
  /// - Entries that wait at a gate count, too.
  /// - The tree's idleness is decided first. An entry that ends before the registered tasks are cancelled has registered
  ///   its tasks by then; decided afterwards, the tree may have become idle in between, and those tasks would run on.
  /// - Inside a callback, only the registered tasks: the caller refers to the state that the callback was given, and later
  ///   entries may belong to a later state.
  /// - Parameter cancelRegistered: Cancels them, and returns the number of the last task that was registered.
  private func cancelAlsoLater(_ key: TaskKey?, _ cancelRegistered: () -> UInt64) {
    guard !tree.isInside else {
      _ = cancelRegistered()
      return
    }
    let isIdle = tree.mailbox.withLock { $0.hasRunAll }
    tree.executor.mayInterrupt(tree)
    let last = cancelRegistered()
    tree.executor.mayInterrupt(tree)
    if !isIdle { tree.afterAccepted(.following) { [self] in cancelStartedByTree(after: last, of: key) } }
  }

  /// Cancels the tasks with greater numbers that the tree's own work has registered.
  private func cancelStartedByTree(after last: UInt64, of key: TaskKey?) {
    var consequences = TaskConsequences()
    withTasks(of: key) { content, keyed, _ in
      guard last < content.lastNumber, key == nil || keyed != nil else { return }
      for number in last + 1...content.lastNumber where content.isStartedByTree(number, in: keyed) {
        content.cancel(number, &consequences)
      }
    }
    carryOut(consequences)
  }
}

extension TaskScope {
  /// Watches the value of an optional scope for a task that has just been registered.
  ///
  /// - A task that the tree's own work has registered belongs to the value that there is when the running entry has
  ///   ended. Any other belongs to the value that there is when everything accepted before has run.
  /// - Parameters:
  ///   - sources: The sources of the presence that were not running.
  ///   - number: The number of the task.
  func watch(_ presence: ScopePresence, _ sources: [Int], for number: UInt64) {
    let belongToValue: @Sendable () -> Void = { [self] in
      if presence.isIdentifiable { withLock { $0.tasks[number]?.exchanges = presence.exchanges } }
    }
    let notices = sources.map { source in
      (presence.sources[source], { @Sendable [self] id in presenceChanged(presence, to: id, from: source) })
    }
    guard tree.isInside else {
      for (source, notice) in notices { source.connect(.internalObserver, notice) }
      if presence.isIdentifiable { tree.afterAccepted(.following, belongToValue) }
      return
    }
    guard presence.isIdentifiable || !notices.isEmpty else { return }
    tree.beforeNextEntry {
      for (source, notice) in notices {
        // A subscription in its turn would miss what the entries do that wait.
        if case .active = notice(source.read()) { source.connect(.linked(isEarly: false), notice) }
      }
      belongToValue()
    }
  }

  /// Cancels the tasks that need a scope's value if it is gone. Called in each step while there are such tasks.
  ///
  /// - Tasks that were registered after entries that still wait belong to a later state, and are kept.
  /// - A moment that is merely shown cancels nothing. A step follows when the tree goes on from it.
  func presenceChanged(_ presence: ScopePresence, to id: AnyHashable?, from source: Int) -> ObserverStatus {
    guard !tree.showsMoment else { return .active }
    var consequences = TaskConsequences()
    let isThere = id != nil
    let last = withLock { _ in presence.exchangeID(for: id, from: source) }
    let isExchanged = isThere && last != nil && id != last
    // The last id is released outside the lock.
    let (status, _) = withTable { content, table in
      if isExchanged {
        content.cancelAll(
          isRevoking: false, where: { $0.presence === presence && $0.exchanges == presence.exchanges }, &consequences)
        presence.exchanges += 1
      }
      if !isThere {
        content.cancelAll(
          isRevoking: false, where: { $0.presence === presence && tree.hasBegunAll(until: $0.position) }, &consequences)
      }
      guard presence.taskCount == 0 || table.isClosed else { return (ObserverStatus.active, AnyHashable?.none) }
      return (.dead, presence.end(source))
    }
    carryOut(consequences)
    return status
  }
}
