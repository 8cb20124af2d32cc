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
  func cancel(_ key: TypedKey) {
    cancelAlsoLater(key) { cancelRegistered(key) }
  }

  /// Cancels all tasks with a key that are registered now.
  ///
  /// - Returns: The number of the last task that was registered, with any key or none.
  @discardableResult
  @usableFromInline
  func cancelRegistered(_ key: TypedKey) -> UInt64 {
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
  private func cancelAlsoLater(_ key: TypedKey?, _ cancelRegistered: () -> UInt64) {
    guard !tree.isInside else {
      _ = cancelRegistered()
      return
    }
    let isIdle = tree.mailbox.withLock { $0.hasRunAll }
    tree.executor.mayInterrupt(tree)
    let last = cancelRegistered()
    tree.executor.mayInterrupt(tree)
    guard !isIdle else { return }
    tree.afterAccepted(.following(needsPresent: false)) { [self] in
      // While it has waited at a gate, callbacks may have started tasks after the cancellation.
      cancelStartedByTree(after: last, byEntryUpTo: tree.runningEntry, of: key)
    }
  }

  /// Cancels the tasks with greater numbers that the entries accepted before a cancellation have registered.
  private func cancelStartedByTree(after last: UInt64, byEntryUpTo entry: UInt64, of key: TypedKey?) {
    var consequences = TaskConsequences()
    withTasks(of: key) { content, keyed, _ in
      guard last < content.lastNumber, key == nil || keyed != nil else { return }
      for number in last + 1...content.lastNumber where content.isStarted(number, byEntryUpTo: entry, in: keyed) {
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
  ///   ended. Any other belongs to the value that there is when everything accepted before has run. If there is none
  ///   then, the task is cancelled.
  /// - A task that was started while another moment is shown belongs to the value of the present.
  func watch(_ presence: ScopePresence, for number: UInt64) {
    let lookLater = { @Sendable [self] in
      tree.afterAccepted(.following(needsPresent: true)) { [self] in look(at: presence, for: number) }
    }
    guard tree.isInside else { return lookLater() }
    tree.beforeNextEntry { [self] in
      if tree.showsMoment { lookLater() } else { look(at: presence, for: number) }
    }
  }

  /// Looks at the value for a task whose turn has come, and listens to the value's changes from now on. In an entry of
  /// its own, or between two entries.
  private func look(at presence: ScopePresence, for number: UInt64) {
    for (index, source) in presence.sources.enumerated() {
      guard withLock({ $0.tasks[number] != nil }) else { return }
      let notice: @Sendable (AnyHashable?) -> ObserverStatus = { [self] id in
        presenceChanged(presence, to: id, from: index)
      }
      let id = source.read()
      _ = notice(id)
      guard id != nil else {
        var consequences = TaskConsequences()
        withLock { content in content.cancel(number, isRevoking: false, &consequences) }
        return carryOut(consequences)
      }
      // Linked at once: a subscription in its turn would miss what the entries do that wait.
      if withLock({ _ in presence.start(index) }) { source.connect(notice) }
    }
    withLock { $0.tasks[number]?.exchanges = presence.exchanges }
  }

  /// Cancels the tasks that need a scope's value if it is gone or was exchanged. Called in each step while there are such
  /// tasks.
  ///
  /// - Tasks whose turn has not come belong to a later state, and are kept.
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
          isRevoking: false, where: { $0.presence === presence && $0.exchanges != nil }, &consequences)
      }
      guard presence.taskCount == 0 || table.isClosed else { return (ObserverStatus.active, AnyHashable?.none) }
      return (.dead, presence.end(source))
    }
    carryOut(consequences)
    return status
  }
}
