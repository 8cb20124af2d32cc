extension StoreProtocol {
  /// Resumes when the whole tree has settled: no accepted work is waiting, no task or effect is pending, and all
  /// deliveries are made.
  ///
  /// - A delivery passes a state or an activity to another queue or the main actor.
  /// - It covers all stores of the tree and everything that follows: the actions that effects send, their effects, and
  ///   so on. Suspended tasks count, and so do the delays of a ``StateEffect``.
  /// - Actions that wait while a recorder shows another moment don't count, because only the recorder's user can end
  ///   that wait.
  /// - Effects that are ``Effect/ongoing`` don't count. Neither do tasks that the store didn't start, such as the task
  ///   of a `for await` over states.
  /// - Canceling the calling task ends the wait.
  /// - A task of the tree must not await it, because it would wait for itself: that stops the program with a message.
  ///   Such a task also must not wait for another task that awaits it, such as a child task. Arbor can't distinguish a
  ///   child task from a task that merely outlives its creator, so both would wait forever without a message.
  /// - On a manual executor, it runs the steps, and resumes when no step is left, even if the tree hasn't settled.
  ///   After the executor is released, it waits as in production.
  /// - A closure-backed store has settled when the values derived from it, and the deliveries to its observers, have
  ///   settled.
  /// - Parameter isolation: The actor that makes the call; nil if there is none.
  /// - Returns: Descriptions of the work that it still waits for. Empty if the tree has settled.
  @discardableResult
  public func settled(isolation: isolated (any Actor)? = #isolation) async -> [String] {
    let tree = asStore.sink.host.tree
    let number = Identity().number
    let hasSettled = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let task = withUnsafeCurrentTask { task in task?.hashValue }
        tree.addWaiter(PendingWork.Waiter(task: task) { continuation.resume(returning: $0) }, number: number)
        // A task of the executor itself continues when the code that steps it has reached the step it waits for.
        if let inspection = tree.taskInspection, InspectedTask.current == nil, inspection.run() {
          tree.pending.remove(number)?.resume(false)
        } else if Task.isCancelled {
          // Canceled before it was added.
          tree.pending.remove(number)?.resume(false)
        }
      }
    } onCancel: {
      tree.pending.remove(number)?.resume(false)
    }
    return hasSettled ? [] : tree.pendingDescriptions
  }
}

extension Tree {
  /// Adds a caller that is resumed when the tree has settled.
  fileprivate func addWaiter(_ waiter: PendingWork.Waiter, number: UInt64) {
    pending.add(waiter, number: number) { [self] in lookLater() }
  }

  private func lookLater() {
    afterAccepted { [self] in look() }
  }

  /// Checks if the tree has settled. Called when its turn comes, after everything accepted before.
  private func look() {
    guard pending.isEmpty else {
      guard !isUnknownWhoWaits() else { return lookLater() }
      return pending.endLook()
    }
    let position = begun
    // After the thread has left the queue and released everything it must, because a release may lead to more work.
    complete { [self] in conclude(at: position) }
  }

  /// Resumes the waiting callers, unless something was accepted since a position, or a thread runs the tree.
  private func conclude(at position: UInt64) {
    let waiters = pending.takeWaiters { mailbox.withLock { $0.isIdle && $0.accepted == position } }
    guard let waiters else { return lookLater() }
    for waiter in waiters { waiter.resume(true) }
  }

  /// Stops the program if a task of the tree waits for the tree.
  ///
  /// - Returns: `true` if that isn't known yet, because a task has just begun.
  private func isUnknownWhoWaits() -> Bool {
    let waiting = pending.waitingTasks
    let nodes = pending.sources.compactMap { $0 as? TaskScope }
    var isUnknown = false
    for scope in nodes.flatMap({ TaskScope.inOrder([$0]) }) {
      let tasks = scope.withLock { content in
        content.tasks.values.filter { $0.hasBegun && !$0.isOngoing }.map(\.swiftTask)
      }
      if tasks.contains(where: { task in task.map { waiting.contains($0.hashValue) } ?? false }) {
        stop(for: .awaitingSettledInOwnTask)
      }
      if tasks.contains(where: { $0 == nil }) { isUnknown = true }
    }
    return isUnknown
  }

  /// Descriptions of the work that must end before the tree has settled.
  fileprivate var pendingDescriptions: [String] {
    let tasks = taskInspection?.tasks.filter { !$0.isOngoing } ?? []
    let others = pending.count - tasks.count
    let entries = taskInspection == nil ? 0 : waiting
    return tasks.map(\.description)
      + (others > 0 ? [taskInspection == nil ? "tasks or deliveries: \(others)" : "deliveries: \(others)"] : [])
      + (entries > 0 ? ["accepted, but not run: \(entries)"] : [])
  }
}

extension InspectedTask {
  /// The key and the cause of the task, for a message.
  fileprivate var description: String {
    func text(of value: Any) -> String { Confidentiality.description(of: value) { String(reflecting: $0) } }
    let name = key.map { "the key \(text(of: $0))" } ?? "no key"
    let starter = stateEffect?.name ?? cause.map { text(of: $0) }
    return "a task with \(name)" + (starter.map { ", started by \($0)" } ?? "")
  }
}
