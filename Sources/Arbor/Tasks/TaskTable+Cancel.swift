/// Cancelling: at once what is known, and, said from outside, in its place in the mailbox what is set off by then.
extension TaskTable {
  /// Cancels a task, and revokes what it has sent.
  @usableFromInline
  func cancel(_ number: UInt64) {
    var aftermath = TaskAftermath()
    content.withLock { content in content.cancel(number, &aftermath) }
    finish(aftermath)
  }

  /// Cancels all tasks with a key, and revokes what they have sent; said outside the tree's callbacks, also those that
  /// actions set off which were accepted before.
  func cancel(_ key: TaskKey) {
    cancelSetOffLater(after: cancelKnown(key), of: key)
  }

  /// Cancels all tasks with a key that are known now.
  ///
  /// - Returns: The number of the last task that was registered, with whichever key.
  @discardableResult
  @usableFromInline
  func cancelKnown(_ key: TaskKey) -> UInt64 {
    var aftermath = TaskAftermath()
    let last = withLane(of: key) { content, lane in
      if let lane { content.change(lane, &aftermath) { $0.cancelAll(&$1) } }
      return content.lastNumber
    }
    finish(aftermath)
    return last
  }

  /// Cancels all tasks, as those with one key.
  func cancelAll() {
    cancelSetOffLater(after: cancelAll(isRevoking: true), of: nil)
  }

  @discardableResult
  func cancelAll(isRevoking: Bool) -> UInt64 {
    var aftermath = TaskAftermath()
    let last = content.withLock { content in
      content.cancelAll(isRevoking: isRevoking, where: { _ in true }, &aftermath)
      for number in isRevoking ? Array(content.ended.keys) : [] { content.cancel(number, &aftermath) }
      content.closeWindows(&aftermath)
      return content.lastNumber
    }
    finish(aftermath)
    return last
  }

  /// Cancels, behind what is accepted, those tasks that it has set off by then; said inside a callback, none.
  ///
  /// - A callback speaks of the state that it was given: what is accepted by then may come of a later one.
  private func cancelSetOffLater(after last: UInt64, of key: TaskKey?) {
    guard !mailbox.isInside else { return }
    mailbox.behindAccepted { [self] in cancelSetOff(after: last, of: key) }
  }

  /// Cancels those tasks that the tree's own work has registered since.
  private func cancelSetOff(after last: UInt64, of key: TaskKey?) {
    var aftermath = TaskAftermath()
    withLane(of: key) { content, lane in
      guard last < content.lastNumber, key == nil || lane != nil else { return }
      for number in last + 1...content.lastNumber where content.isSetOff(number, in: lane) {
        content.cancel(number, &aftermath)
      }
    }
    finish(aftermath)
  }
}
