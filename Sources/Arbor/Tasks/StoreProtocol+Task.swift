extension StoreProtocol {
  /// Starts a task that can send actions to this store.
  ///
  /// - It is registered before this returns, so a cancellation that follows always takes effect.
  /// - Keys belong to the store's node. A scope with its own type of actions has keys of its own: equal keys of two
  ///   features do not conflict. Scopes of one key path, or of one record of a table, share them; a scope by a function
  ///   shares with no other.
  /// - A running task keeps no state alive. It is cancelled when the store's owner is released; in a scope with its own
  ///   type of actions, also in the step in which that scope or an optional scope around it becomes nil, or gets another
  ///   id if it is `Identifiable`. Actions that it has already sent are still reduced.
  /// - It emits activities through the store itself, which a task may capture: `store.emit(…)`. That keeps no state
  ///   alive, and works also after the task was cancelled.
  /// - An error that it throws is thrown by the task's ``StoreTask/value``. If the store's owner is already gone, the
  ///   task does not start, and its value throws `CancellationError`.
  /// - Parameters:
  ///   - key: Identifies the task for ``cancel(_:at:)``, ``isRunning(_:at:)`` and the mode. Any value can be a key; a key of
  ///     several parts is an enum case or a struct that has them. A task without a key can be cancelled alone only by
  ///     the returned ``StoreTask``.
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
    return store.sink.start(key: key.map { TypedKey($0) }, mode: mode, priority: priority, operation)
  }

  /// Starts a task whose body runs on the caller's actor, and so may use what belongs to that actor; otherwise like the
  /// overload without `isolation`.
  ///
  /// ```swift
  /// store.task(isolation: #isolation) { dispatch in
  ///   self.progress = 0.5
  /// }
  /// ```
  ///
  /// - The body never runs before this returns. It retains what it captures until the task has ended.
  /// - On a manual executor, a body on the main actor, or on another actor with an executor of its own, is no step.
  /// - Parameters:
  ///   - key: The key of the task; nil for none.
  ///   - mode: The rule for this task and those with the same key.
  ///   - priority: The priority of the task; by default that of a detached task.
  ///   - isolation: The actor on which the call is made: `#isolation`. A call that is on no actor does not compile.
  ///   - operation: The body of the task.
  @discardableResult
  public func task<Value: Sendable>(
    key: (any Hashable & Sendable)? = nil,
    mode: TaskMode = .parallel,
    priority: TaskPriority? = nil,
    isolation: isolated any Actor,
    operation: @escaping (_ dispatch: @escaping @Sendable (_ action: Action) -> Void) async throws -> Value
  ) -> StoreTask<Value> {
    let operation = IsolatedOperation(actor: isolation, operation: operation)
    return task(key: key, mode: mode, priority: priority) { dispatch in
      try await operation.perform(with: dispatch, on: operation.actor)
    }
  }

  /// Cancels the tasks with a key, running or waiting, and revokes the actions that they have sent, also those of tasks
  /// that have ended.
  ///
  /// - The later parts of sequences count as waiting tasks: see `concatenate`.
  /// - Called in a callback of the tree: it cancels the tasks that exist now, and none of their actions is reduced any
  ///   more.
  /// - Called elsewhere: it cancels also the tasks that will be started by actions dispatched before this call. Of
  ///   their actions only one whose step has already begun is still reduced.
  /// - From any thread, any number of times.
  /// - Parameters:
  ///   - key: The key of the tasks. An unknown key or nil does nothing.
  ///   - place: The place of the tasks in this store's state; by default the store itself.
  public func cancel(_ key: (any Hashable & Sendable)?, at place: TaskPlace<State> = .own) {
    if let key { asStore.sink.host(at: place.scope).tasks.cancel(TypedKey(key)) }
  }

  /// Suspends the tasks with a key: those that run go on, and no other begins until the key is resumed.
  ///
  /// - Takes effect at once, also for the tasks that will be started later. Such a task waits, and its ``TaskMode``
  ///   applies at once all the same: `dropCurrent` drops the others now, `keepCurrent` is dropped if another one waits.
  /// - Debounce times and throttle windows go on. A task whose time is over waits for the key to be resumed.
  /// - A waiting task can be cancelled, and counts as running for ``isRunning(_:at:)`` and ``settled(isolation:)``.
  /// - Lasts until the key is resumed or the store's owner is gone; in a scope of a key path also when nobody has a
  ///   scope or task of that place meanwhile.
  /// - From any thread, any number of times: one ``resume(_:at:)`` is enough.
  /// - Parameters:
  ///   - key: The key of the tasks; with nil nothing happens.
  ///   - place: The place of the tasks in this store's state; by default the store itself.
  public func suspend(_ key: (any Hashable & Sendable)?, at place: TaskPlace<State> = .own) {
    if let key { asStore.sink.host(at: place.scope).tasks.suspend(TypedKey(key)) }
  }

  /// Resumes the tasks with a suspended key: those that wait for nothing else begin.
  ///
  /// - A debounced task whose time is over begins first, as it drops what runs. The others begin beside it.
  /// - Takes effect at once, from any thread.
  /// - Parameters:
  ///   - key: The suspended key. A key that is not suspended, or nil, does nothing.
  ///   - place: The place of the tasks in this store's state; by default the store itself.
  public func resume(_ key: (any Hashable & Sendable)?, at place: TaskPlace<State> = .own) {
    if let key { asStore.sink.host(at: place.scope).tasks.resume(TypedKey(key)) }
  }

  /// Cancels all tasks of this store, with a key and without, in the way of ``cancel(_:at:)``.
  ///
  /// - Only the tasks of its node or, in a scope with its own type of actions, of that scope; not those of children.
  public func cancelAllTasks() {
    asStore.sink.tasks.cancelAll()
  }

  /// `true` if a task with a key runs or waits.
  ///
  /// - A task runs until its body has ended and what the body has sent has had its turn.
  /// - A later part of a `concatenate` waits.
  /// - Waits for what was accepted before the call, as ``state`` does; inside a callback of the tree, returns at once.
  /// - Parameters:
  ///   - key: The key of the tasks. With nil it returns `false`, and does not wait.
  ///   - place: The place of the tasks in this store's state; by default the store itself.
  public func isRunning(_ key: (any Hashable & Sendable)?, at place: TaskPlace<State> = .own) -> Bool {
    key.map { asStore.sink.host(at: place.scope).tasks.isRunning(TypedKey($0)) } ?? false
  }

  /// Sends an action and resumes when the effects declared for its step, in its own store and in ancestors, have ended,
  /// and what they have sent was reduced and observed.
  ///
  /// - Actions that a recorder holds back or drops, while it shows another moment, are not waited for.
  /// - Effects of the actions that those effects send are not waited for, nor is a ``StateEffect``: see
  ///   ``settled(isolation:)``.
  /// - The cancellation of the task that waits cancels the effects and revokes the actions that they have sent. The wait
  ///   ends when the bodies of the effects have returned.
  /// - If an interceptor drops the action, it resumes after the action's turn; if the store's owner is gone, at once.
  /// - Parameters:
  ///   - action: The action to send.
  ///   - isolation: The actor on which the call is made; nil if it is on none.
  public func perform(_ action: Action, isolation: isolated (any Actor)? = #isolation) async {
    let store = asStore
    let group = EffectGroup()
    // Left when the step has performed all effects, so that the group does not end before. It is new, and open.
    _ = group.enter()
    await withTaskCancellationHandler {
      let isAccepted = await store.submitAndWait { .awaited(action, AwaitedStep(effects: group, completion: $0)) }
      if !isAccepted { return store.reportUseAfterRelease() }
      group.leave()
      await withCheckedContinuation { continuation in
        if group.whenEnded({ _ in continuation.resume() }) != nil { continuation.resume() }
        store.sink.host.tree.executor.taskWaits { group.isEnded }
      }
      // Actions that the effects have sent were accepted before the effects ended.
      await store.sink.host.tree.finishAccepted()
    } onCancel: {
      group.cancel()
    }
    store.actAfterWait()
  }
}

/// The body of a task that runs on an actor.
private struct IsolatedOperation<Action: Sendable, Value: Sendable>: @unchecked Sendable {
  // Sendable because the operation is made on the actor and called on it alone.

  let actor: any Actor
  let operation: (_ dispatch: @escaping @Sendable (_ action: Action) -> Void) async throws -> Value

  /// Performs the operation on its actor.
  func perform(
    with dispatch: @escaping @Sendable (Action) -> Void,
    on actor: isolated any Actor
  ) async throws -> Value {
    try await operation(dispatch)
  }
}

/// A task that was started by a store: a handle to wait for its value and to cancel it.
///
/// - Releasing the handle does not end the task.
public struct StoreTask<Value: Sendable>: Sendable {
  let outcome: TaskOutcome
  let number: UInt64
  let scope: TaskScope

  /// The value that the task returns.
  ///
  /// - The cancellation of the task that waits ends the wait. It does not cancel this task.
  /// - Throws: The error of the body; `CancellationError` as soon as the task is cancelled or dropped by a mode, or the
  ///   store's owner is released, even if the body runs on; also if the owner was gone when the task was started, and if
  ///   the task that waits is cancelled.
  public var value: Value {
    get async throws {
      let caller = SuspendedCaller()
      await caller.suspend {
        outcome.add(caller)
        scope.tree.executor.taskWaits { caller.isResumed }
      }
      guard let result = outcome.result else {
        outcome.remove(caller)
        throw CancellationError()
      }
      // The task's body settles the outcome, and returns this type.
      return try result.get() as! Value
    }
  }

  /// Cancels the task and revokes the actions that it has sent.
  ///
  /// - Called in a callback of the tree, none of its actions is reduced any more. Called elsewhere, only one whose step
  ///   has already begun is still reduced.
  /// - From any thread, any number of times, also after the task has ended.
  public func cancel() {
    scope.cancel(number)
  }
}
