extension StoreProtocol {
  /// Starts a task that can send actions to this store.
  ///
  /// - It is registered before this returns, so a cancellation that follows always takes effect.
  /// - Keys belong to the store's node. A scope with its own type of actions has keys of its own, separate for each
  ///   call that makes such a scope: equal keys of two features do not conflict.
  /// - A running task keeps no state alive. It is cancelled when the store's owner is released; in a scope with its own
  ///   type of actions, also in the step in which that scope or an optional scope around it becomes nil. Actions that
  ///   it has already sent are still reduced.
  /// - An error that it throws is thrown by the task's ``StoreTask/value``. If the store's owner is already gone, the
  ///   task does not start, and its value throws `CancellationError`.
  /// - Parameters:
  ///   - key: Identifies the task for ``cancel(_:)``, ``isRunning(_:)`` and the mode. A task without a key can be
  ///     cancelled alone only by the returned ``StoreTask``.
  ///   - mode: The rule for this task and the others with an equal key.
  ///   - priority: The task's priority; without one, that of a detached task.
  ///   - operation: The body of the task; `dispatch` sends actions to this store until the task is cancelled or the
  ///     store's owner is gone.
  @discardableResult
  public func task<Value: Sendable>(
    key: (any Hashable & Sendable)? = nil,
    mode: TaskMode = .parallel,
    priority: TaskPriority? = nil,
    operation: @escaping @Sendable (_ dispatch: @escaping @Sendable (_ action: Action) -> Void) async throws -> Value
  ) -> StoreTask<Value> {
    let store = asStore
    if store.address?.isOpen == false { store.reportUseAfterRelease() }
    return store.sink.start(key: key.map { TaskKey($0) }, mode: mode, priority: priority, operation)
  }

  /// Cancels the tasks with a key, running or waiting, and revokes the actions that they have sent, also those of tasks
  /// that have ended.
  ///
  /// - Called in a callback of the tree: it cancels the tasks that exist now, and none of their actions is reduced any
  ///   more.
  /// - Called elsewhere: it cancels also the tasks that will be started by actions dispatched before this call. Of
  ///   their actions only one whose step has already begun is still reduced.
  /// - From any thread, any number of times. An unknown or nil key does nothing.
  public func cancel(_ key: (any Hashable & Sendable)?) {
    if let key { asStore.sink.tasks.cancel(TaskKey(key)) }
  }

  /// Cancels all tasks of this store, with a key and without, in the way of ``cancel(_:)``.
  ///
  /// - Only the tasks of its node or, in a scope with its own type of actions, of that scope; not those of children.
  public func cancelAllTasks() {
    asStore.sink.tasks.cancelAll()
  }

  /// `true` if a task with a key runs or waits.
  ///
  /// - Waits for what was accepted before the call, as ``state`` does; inside a callback of the tree, returns at once.
  public func isRunning(_ key: (any Hashable & Sendable)?) -> Bool {
    key.map { asStore.sink.tasks.isRunning(TaskKey($0)) } ?? false
  }

  /// Resumes when everything accepted before the call has run and this store has no task left, cancelled ones included.
  ///
  /// - Only the tasks of its node or, in a scope with its own type of actions, of that scope; not those of children.
  /// - A task of this store must not await it: it would wait for itself forever.
  public func tasksFinished() async {
    let tasks = asStore.sink.tasks
    let isFinished = Protected(false)
    await withCheckedContinuation { continuation in
      tasks.whenIdle {
        isFinished.withLock { $0 = true }
        continuation.resume()
      }
      tasks.tree.executor.taskWaits { isFinished.withLock { $0 } }
    }
  }

  /// Sends an action and resumes when the effects declared for its step, in its own store and in ancestors, have ended.
  ///
  /// - Effects of the actions that those effects send are not waited for, nor is a ``StateEffect``.
  /// - Cancelling the task that waits cancels the effects and revokes the actions that they have sent.
  /// - If an interceptor drops the action, it resumes after the action's turn; if the store's owner is gone, at once.
  public func perform(_ action: Action, isolation: isolated (any Actor)? = #isolation) async {
    let store = asStore
    let group = EffectGroup()
    group.enter()
    let isAccepted = store.sink.submit(.awaited(action, effects: group) { group.leave() })
    if isAccepted {
      store.taskWaits()
    } else {
      store.reportUseAfterRelease()
      group.leave()
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if group.whenEnded({ _ in continuation.resume() }) != nil { continuation.resume() }
        store.sink.host.tree.executor.taskWaits { group.isEnded }
      }
    } onCancel: {
      group.cancel()
    }
  }
}
