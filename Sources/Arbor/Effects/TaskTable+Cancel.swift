/// Cancelling: at once what is known, and in its place in the mailbox what is set off by then.
extension TaskTable {
  /// Cancels a task, and revokes what it has sent.
  @usableFromInline
  func cancel(_ number: UInt64) {
    var aftermath = TaskAftermath()
    content.withLock { content in content.cancel(number, &aftermath) }
    finish(aftermath)
  }

  /// Cancels all tasks with a key, and revokes what they have sent; also those that actions set off which were accepted
  /// before.
  func cancel(_ key: TaskKey) {
    let last = cancelKnown(key)
    mailbox.behindAccepted { [self] in cancelSetOff(after: last, of: key) }
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
    let last = cancelAll(isRevoking: true)
    mailbox.behindAccepted { [self] in cancelSetOff(after: last, of: nil) }
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
