extension StoreProtocol {
  /// Starts a task that can send actions to this store.
  ///
  /// - The task is registered before this method returns, so a later cancellation always takes effect.
  /// - Keys belong to the store's node. A scope with its own type of actions has its own keys: equal keys of two
  ///   features don't conflict. Scopes of the same key path, or of the same record of a table, share keys; a scope made
  ///   with a function doesn't share them.
  /// - A running task doesn't keep the state alive. It is canceled when the store's owner is released. In a scope with
  ///   its own type of actions, it is also canceled in the step in which that scope or an enclosing optional scope
  ///   becomes nil, or gets another id if it is `Identifiable`. In both cases, actions that it already sent are still
  ///   reduced.
  /// - To emit activities, capture the store in the task and call `store.emit(…)`. That doesn't keep the state alive,
  ///   and works even after the task was canceled.
  /// - If the body throws an error, the task's ``StoreTask/value`` throws it. If the store's owner is already gone, the
  ///   task doesn't start, and its value throws `CancellationError`.
  /// - Parameters:
  ///   - key: Identifies the task for ``cancel(_:at:)``, ``isRunning(_:at:)`` and the mode. Any value can be a key; for
  ///     a key with several parts, use an enum case or a struct. A task without a key can only be canceled individually
  ///     through the returned ``StoreTask``.
  ///   - mode: The rule for this task and others with the same key.
  ///   - priority: The task's priority; by default, the same as for a detached task.
  ///   - operation: The body of the task; `dispatch` sends actions to this store until the task is canceled or the
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

  /// Starts a task whose body runs on the caller's actor, and so can use the actor's state.
  ///
  /// ```swift
  /// store.task(isolation: #isolation) { dispatch in
  ///   self.progress = 0.5
  /// }
  /// ```
  ///
  /// - The body never runs before this method returns. The task retains its captured values until it has ended.
  /// - On a manual executor, a body on the main actor, or on another actor with its own executor, isn't a step.
  /// - Otherwise, it works like the overload without `isolation`.
  /// - Parameters:
  ///   - key: The key of the task; nil for none.
  ///   - mode: The rule for this task and others with the same key.
  ///   - priority: The priority of the task; by default, the same as for a detached task.
  ///   - isolation: The actor that makes the call: `#isolation`. A call outside actors doesn't compile.
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

  /// Cancels the running and waiting tasks with a key, and revokes the actions that they sent, including those of ended
  /// tasks.
  ///
  /// - Later parts of sequences count as waiting tasks; see `concatenate`.
  /// - In a callback of the tree, it cancels the tasks that exist now. None of their waiting actions is reduced.
  /// - Elsewhere, it also cancels the tasks that will be started by actions dispatched before this call. An action of
  ///   these tasks is only reduced if its step has already begun.
  /// - You can call it from any thread, any number of times.
  /// - Parameters:
  ///   - key: The key of the tasks. An unknown key or nil does nothing.
  ///   - place: The place of the tasks in this store's state; by default the store itself.
  public func cancel(_ key: (any Hashable & Sendable)?, at place: TaskPlace<State> = .own) {
    if let key { asStore.sink.host(at: place.scope).tasks.cancel(TypedKey(key)) }
  }

  /// Suspends the tasks with a key: running tasks continue, and no other begins until you resume the key.
  ///
  /// - It takes effect at once, even for tasks that are started later. Such a task waits, but its ``TaskMode`` still
  ///   applies at once: `dropCurrent` drops the others now, and `keepCurrent` is dropped if another one is waiting.
  /// - Debounce times and throttle windows continue. A task whose time is over waits until you resume the key.
  /// - A waiting task can be canceled, and counts as running for ``isRunning(_:at:)`` and ``settled(isolation:)``.
  /// - It lasts until you resume the key or the store's owner is gone. In a scope of a key path, it also ends when no
  ///   scope or task of that place exists.
  /// - You can call it from any thread, any number of times; one ``resume(_:at:)`` is enough.
  /// - Parameters:
  ///   - key: The key of the tasks; nil suspends nothing.
  ///   - place: The place of the tasks in this store's state; by default the store itself.
  public func suspend(_ key: (any Hashable & Sendable)?, at place: TaskPlace<State> = .own) {
    if let key { asStore.sink.host(at: place.scope).tasks.suspend(TypedKey(key)) }
  }

  /// Resumes the tasks with a suspended key: tasks that aren't waiting for anything else begin.
  ///
  /// - A debounced task whose time is over begins first, because it drops running tasks. The others begin without
  ///   waiting for it.
  /// - It takes effect at once, from any thread.
  /// - Parameters:
  ///   - key: The suspended key. A key that isn't suspended, or nil, does nothing.
  ///   - place: The place of the tasks in this store's state; by default the store itself.
  public func resume(_ key: (any Hashable & Sendable)?, at place: TaskPlace<State> = .own) {
    if let key { asStore.sink.host(at: place.scope).tasks.resume(TypedKey(key)) }
  }

  /// Cancels all tasks of this store, with and without keys, by the rules of ``cancel(_:at:)``.
  ///
  /// - It cancels only the tasks of the store's node or, in a scope with its own type of actions, of that scope. It
  ///   doesn't cancel the tasks of children.
  public func cancelAllTasks() {
    asStore.sink.tasks.cancelAll()
  }

  /// Returns `true` if a task with a key is running or waiting.
  ///
  /// - A task runs until its body has ended and the actions that it sent have had their turn.
  /// - A later part of a `concatenate` waits.
  /// - The call waits for everything accepted before it, like ``state``; inside a callback of the tree, it returns at
  ///   once.
  /// - Parameters:
  ///   - key: The key of the tasks. If the key is nil, the result is `false`, without waiting.
  ///   - place: The place of the tasks in this store's state; by default the store itself.
  public func isRunning(_ key: (any Hashable & Sendable)?, at place: TaskPlace<State> = .own) -> Bool {
    key.map { asStore.sink.host(at: place.scope).tasks.isRunning(TypedKey($0)) } ?? false
  }

  /// Sends an action, and resumes when the effects of its step have ended and their actions were reduced and observed.
  ///
  /// - It waits for the effects that the action's own store and ancestors declare for the step.
  /// - It doesn't wait for actions that a recorder holds back or drops while it shows another moment.
  /// - It doesn't wait for effects of the actions that those effects send, nor for a ``StateEffect``; see
  ///   ``settled(isolation:)``.
  /// - Canceling the calling task cancels the effects and revokes the actions that they sent. The wait ends when the
  ///   bodies of the effects have returned.
  /// - If an interceptor drops the action, it resumes after the action's turn; if the store's owner is gone, at once.
  /// - Parameters:
  ///   - action: The action to send.
  ///   - isolation: The actor that makes the call; nil if there is none.
  public func perform(_ action: Action, isolation: isolated (any Actor)? = #isolation) async {
    let store = asStore
    let group = EffectGroup()
    // The group is left after the step has performed all effects, so that it doesn't end earlier. It is new, and open.
    _ = group.enter()
    await withTaskCancellationHandler {
      let isAccepted = await store.submitAndWait { .awaited(action, AwaitedStep(effects: group, completion: $0)) }
      if !isAccepted { return store.reportUseAfterRelease() }
      group.leave()
      await withCheckedContinuation { continuation in
        if group.whenEnded({ _ in continuation.resume() }) != nil { continuation.resume() }
        store.sink.host.tree.executor.taskWaits { group.isEnded }
      }
      // Actions that the effects sent were accepted before the effects ended.
      await store.sink.host.tree.finishAccepted()
    } onCancel: {
      group.cancel()
    }
    store.actAfterWait()
  }
}

/// The body of a task that runs on an actor.
private struct IsolatedOperation<Action: Sendable, Value: Sendable>: @unchecked Sendable {
  // Sendable because the operation is made on the actor and only called on it.

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

/// A handle to a task that a store started. Use it to wait for the task's value or to cancel the task.
///
/// ```swift
/// let task = store.task { dispatch in
///   dispatch(.loaded)
///   return 3
/// }
/// let count = try await task.value
/// ```
///
/// - Releasing the handle doesn't end the task.
public struct StoreTask<Value: Sendable>: Sendable {
  let outcome: TaskOutcome
  let number: UInt64
  let scope: TaskScope

  /// The value that the task returns.
  ///
  /// - Canceling the calling task ends the wait, but doesn't cancel this task.
  /// - Throws: The error of the body, or a `CancellationError`. It throws `CancellationError` as soon as the task is
  ///   canceled or dropped by a mode, or the store's owner is released, even if the body is still running. It also does
  ///   so if the owner was gone when the task was started, and if the calling task is canceled.
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
      // The task's body sets the outcome, and returns this type.
      return try result.get() as! Value
    }
  }

  /// Cancels the task and revokes the actions that it sent.
  ///
  /// - In a callback of the tree, none of its waiting actions is reduced. Elsewhere, an action is only reduced if its
  ///   step has already begun.
  /// - You can call it from any thread, any number of times, even after the task has ended.
  public func cancel() {
    scope.cancel(number)
  }
}
