/// Cancels registered tasks at once. Outside the tree's callbacks, it also cancels those that the waiting entries will
/// start.
extension TaskScope {
  /// Cancels a running, waiting or ended task, and revokes the actions that it sent.
  @usableFromInline
  func cancel(_ number: UInt64) {
    var consequences = TaskConsequences()
    withLock { content in content.cancel(number, &consequences) }
    carryOut(consequences)
  }

  /// Cancels all tasks with a key, and revokes the actions that they sent. Outside the tree's callbacks, it also
  /// cancels the tasks that the entries accepted before the call will start.
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

  /// Cancels all tasks, with and without keys, by the same rules as those of one key.
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

  /// Cancels the registered tasks and, after the entries that wait now, the tasks that those entries started.
  ///
  /// - Entries that wait at a gate count, too.
  /// - First it decides if the tree is idle. If an entry ends before the registered tasks are canceled, it has
  ///   registered its tasks by then. If idleness were decided later, the tree might have become idle in between, and
  ///   those tasks would continue.
  /// - Inside a callback, only the registered tasks are canceled: the caller refers to the state that the callback
  ///   received, and later entries may belong to a later state.
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
      // While it waited at a gate, callbacks may have started tasks after the cancellation.
      cancelStartedByTree(after: last, byEntryUpTo: tree.runningEntry, of: key)
    }
  }

  /// Cancels the tasks with greater numbers that were registered by entries accepted before a cancellation.
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
  /// Watches the value of an optional scope for a task that was just registered.
  ///
  /// - A task that the tree's own work registered belongs to the value that is present when the running entry ends. Any
  ///   other task belongs to the value that is present when everything accepted earlier has run. If there is no value
  ///   then, the task is canceled.
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

  /// Checks the value for a task whose turn has come, and watches the value's changes from now on. Called in its own
  /// entry, or between two entries.
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
      // Linked at once: a subscription that waits for its turn would miss the changes of the waiting entries.
      if withLock({ _ in presence.start(index) }) { source.connect(notice) }
    }
    withLock { $0.tasks[number]?.exchanges = presence.exchanges }
  }

  /// Cancels the tasks that need a scope's value if the value is gone or was replaced. Called in each step while there
  /// are such tasks.
  ///
  /// - Tasks whose turn hasn't come belong to a later state, and are kept.
  /// - A moment that is only shown doesn't cancel tasks. If the tree continues from it, a step follows.
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
