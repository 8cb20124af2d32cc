/// Cancelling: at once what is known, and, said from outside, in its place in the mailbox what is set off by then.
extension TaskTable {
  /// Cancels a task, and revokes what it has sent.
  @usableFromInline
  func cancel(_ number: UInt64) {
    var consequences = TaskConsequences()
    content.withLock { content in content.cancel(number, &consequences) }
    finish(consequences)
  }

  /// Cancels all tasks with a key, and revokes what they have sent; said outside the tree's callbacks, also those that
  /// actions set off which were accepted before.
  func cancel(_ key: TaskKey) {
    cancelStartedByTreeLater(after: cancelRegistered(key), of: key)
  }

  /// Cancels all tasks with a key that are known now.
  ///
  /// - Returns: The number of the last task that was registered, with whichever key.
  @discardableResult
  @usableFromInline
  func cancelRegistered(_ key: TaskKey) -> UInt64 {
    var consequences = TaskConsequences()
    let last = withLane(of: key) { content, lane in
      if let lane { content.change(lane, &consequences) { $0.cancelAll(&$1) } }
      return content.lastNumber
    }
    finish(consequences)
    return last
  }

  /// Cancels all tasks, as those with one key.
  func cancelAll() {
    cancelStartedByTreeLater(after: cancelAll(isRevoking: true), of: nil)
  }

  @discardableResult
  func cancelAll(isRevoking: Bool) -> UInt64 {
    var consequences = TaskConsequences()
    let last = content.withLock { content in
      content.cancelAll(isRevoking: isRevoking, where: { _ in true }, &consequences)
      for number in isRevoking ? Array(content.ended.keys) : [] { content.cancel(number, &consequences) }
      content.closeWindows(&consequences)
      return content.lastNumber
    }
    finish(consequences)
    return last
  }

  /// Cancels, behind what is accepted, those tasks that it has set off by then; said inside a callback, none.
  ///
  /// - A callback speaks of the state that it was given: what is accepted by then may come of a later one.
  private func cancelStartedByTreeLater(after last: UInt64, of key: TaskKey?) {
    guard !tree.isInside else { return }
    tree.afterAcceptedUnlessIdle { [self] in cancelStartedByTree(after: last, of: key) }
  }

  /// Cancels those tasks that the tree's own work has registered since.
  private func cancelStartedByTree(after last: UInt64, of key: TaskKey?) {
    var consequences = TaskConsequences()
    withLane(of: key) { content, lane in
      guard last < content.lastNumber, key == nil || lane != nil else { return }
      for number in last + 1...content.lastNumber where content.startedByTree(number, in: lane) {
        content.cancel(number, &consequences)
      }
    }
    finish(consequences)
  }
}
