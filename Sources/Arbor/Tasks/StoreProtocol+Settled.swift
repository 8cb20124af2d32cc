extension StoreProtocol {
  /// Resumes when the whole tree has settled: nothing that was accepted waits, no task or effect runs or waits, and no
  /// state or activity is still to be delivered to another queue or the main actor.
  ///
  /// - It includes what follows from what: the actions that effects send, their effects, and so on; of all stores of
  ///   the tree. Suspended tasks count, and so do the delays of a ``StateEffect``.
  /// - Actions that wait because a recorder shows another moment do not count: nothing but the traveller ends that.
  /// - Effects that are ``Effect/ongoing`` do not count, nor do tasks that the store has not started, such as the one
  ///   of a `for await` over states.
  /// - The cancellation of the task that waits ends the wait.
  /// - A task of the tree must not await it: it would wait for itself. It stops the program with a message. Nor must
  ///   such a task wait for another that awaits it, as for a child task: that cannot be told from a task that merely
  ///   outlives the one that made it, and would wait forever without a message.
  /// - On a manual executor it runs the steps, and resumes when none is left, settled or not. Once the executor is
  ///   released, it waits as in production.
  /// - A closure-backed store settles when the values derived from it, and the deliveries to its observers, have.
  /// - Parameter isolation: The actor on which the call is made; nil if it is on none.
  /// - Returns: Descriptions of what it still waits for. Empty if the tree has settled.
  @discardableResult
  public func settled(isolation: isolated (any Actor)? = #isolation) async -> [String] {
    let tree = asStore.sink.host.tree
    let number = Identity().number
    let hasSettled = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let task = withUnsafeCurrentTask { task in task?.hashValue }
        tree.addWaiter(PendingWork.Waiter(task: task) { continuation.resume(returning: $0) }, number: number)
        // A task of the executor itself goes on when whoever steps it has come to what it waits for.
        if let inspection = tree.taskInspection, InspectedTask.current == nil, inspection.run() {
          tree.pending.remove(number)?.resume(false)
        } else if Task.isCancelled {
          // Cancelled before it was added.
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
  /// Adds a caller that is resumed once the tree has settled.
  fileprivate func addWaiter(_ waiter: PendingWork.Waiter, number: UInt64) {
    pending.add(waiter, number: number) { [self] in lookLater() }
  }

  private func lookLater() {
    afterAccepted { [self] in look() }
  }

  /// Looks whether the tree has settled. In its turn, after everything accepted before.
  private func look() {
    guard pending.isEmpty else {
      guard !isUnknownWhoWaits() else { return lookLater() }
      return pending.endLook()
    }
    let position = begun
    // After the thread has left the queue and released what it must: that may be the cause of more.
    complete { [self] in conclude(at: position) }
  }

  /// Resumes the callers that wait, unless something was accepted since a position, or a thread runs the tree.
  private func conclude(at position: UInt64) {
    let waiters = pending.takeWaiters { mailbox.withLock { $0.isIdle && $0.accepted == position } }
    guard let waiters else { return lookLater() }
    for waiter in waiters { waiter.resume(true) }
  }

  /// Stops the program if a task of the tree waits for the tree.
  ///
  /// - Returns: `true` if that cannot be said yet, because a task has just begun.
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

  /// Descriptions of what has to end before the tree has settled.
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
