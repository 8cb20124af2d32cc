extension StoreProtocol {
  /// Starts a task that belongs to this store.
  ///
  /// - It is registered before this returns: to cancel it at once cancels it for sure.
  /// - Keys belong to the store's node, and to each scope with its own type of actions, that is, to each call that makes one:
  ///   equal keys of two features never meet. The tasks of such a scope are cancelled in the step in which its state becomes
  ///   nil, because it or what is around it is an optional part.
  /// - A running task keeps no state alive. When the store's owner goes it is cancelled; what it has sent is reduced all the
  ///   same.
  /// - What it throws is thrown by the task's ``StoreTask/value``. If the store's owner is gone it does not start, and its
  ///   value throws `CancellationError`.
  /// - Parameters:
  ///   - key: What the task is known by; without one it is known by what is returned alone.
  ///   - mode: What becomes of it and of others with an equal key.
  ///   - priority: The task's priority; without one, that of a detached task.
  ///   - operation: What it does; `dispatch` sends actions to this store until the task is cancelled or the store gone.
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

  /// Cancels the tasks with a key, those that run and those that wait, and revokes what they have sent; also that of tasks
  /// which have ended.
  ///
  /// - Called on the tree's queue: no action of theirs is reduced any more, neither one in the mailbox nor one that is dispatched
  ///   later. Called elsewhere: at most the one whose step has begun.
  /// - Called outside the tree's callbacks: the tasks, too, that actions start which were dispatched before and wait still. Called
  ///   inside one: the tasks alone that exist now.
  /// - From any thread. Of an unknown key, or again, it does nothing. A key that is nil is no task's.
  public func cancel(_ key: (any Hashable & Sendable)?) {
    if let key { asStore.sink.tasks.cancel(TaskKey(key)) }
  }

  /// Cancels all tasks that are known here, with a key and without, as ``cancel(_:)``.
  public func cancelAllTasks() {
    asStore.sink.tasks.cancelAll()
  }

  /// `true` if a task with a key runs, or waits to.
  ///
  /// - As ``state`` it waits for what was accepted before the call; inside a callback of the tree it answers at once.
  public func isRunning(_ key: (any Hashable & Sendable)?) -> Bool {
    key.map { asStore.sink.tasks.isRunning(TaskKey($0)) } ?? false
  }

  /// Resumes when what was accepted before the call was run and no task that is known here runs or waits; those that were cancelled
  /// have ended then, too.
  ///
  /// - A task of this store that waits for it waits for itself, and so for ever.
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

  /// Sends an action and resumes when the effects have ended that it has set off, in its own store and above.
  ///
  /// - They are those that the `effects` of its step declare; not those of the actions that they send.
  /// - Cancelling the task that waits cancels them, and revokes what they have sent.
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
