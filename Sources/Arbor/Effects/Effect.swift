/// Work that an action starts, described as a value and performed by the store.
///
/// ```swift
/// let factory = StoreFactory(
///   initialState: AppState(),
///   feature: Feature(
///     effects: { state, action in
///       switch action {
///       case .search:
///         .run(key: "search", mode: .debounce(.milliseconds(300))) { [query = state.query] dispatch in
///           dispatch(.found(try await index.search(query)))
///         }
///       case .leave: .cancel("search")
///       default: .none
///       }
///     },
///     reducer: appReducer
///   )
/// )
/// ```
///
/// - An effect belongs to the store that declares it: its actions go to that store, and so do its keys.
/// - It is performed on the tree's queue, after the action's reducers and before the observers of its step. In a batch,
///   each action's effect is performed before the next action, with the state after its own action. For work that only
///   depends on the state, use a ``StateEffect``, which is checked once per batch.
/// - Its tasks, and the keys of later parts of a `concatenate`, are registered while it is performed. So a later
///   cancellation always takes effect.
public struct Effect<Action: Sendable>: Sendable {
  /// The asynchronous work of a task; its argument `dispatch` sends actions.
  ///
  /// - `dispatch` works from any thread, any number of times, at any later time, even after the body has ended. It
  ///   silently does nothing after the task was canceled or the store's owner is gone.
  public typealias Operation =
    @Sendable (_ dispatch: @escaping @Sendable (_ action: Action) -> Void) async throws -> Void

  @usableFromInline
  indirect enum Form: Sendable {
    case none
    case send(Action)
    case sendBatch([Action])
    case emit(any Sendable)
    case run(
      key: TypedKey?,
      mode: TaskMode,
      priority: TaskPriority?,
      isOngoing: Bool = false,
      EffectContext<Action>.Operation
    )
    case cancel(TypedKey, at: ScopePlace?)
    case cancelAll(at: ScopePlace?)
    case merge([Effect])
    case concatenate([Effect])
    case catching(Effect, @Sendable (any Error) -> Action?)
  }

  @usableFromInline let form: Form

  @inlinable
  init(_ form: Form) {
    self.form = form
  }

  /// `true` if there is nothing to perform.
  @inlinable
  var isNone: Bool {
    if case .none = form { true } else { false }
  }

  /// Keeps the effect's closures until the thread has left the queue of every tree, so that they aren't released inside
  /// a step if a task never begins or ends quickly.
  @usableFromInline
  func releaseLater() {
    switch form {
    case .none, .send, .sendBatch, .emit, .cancel, .cancelAll: break
    case .run, .merge, .concatenate, .catching: Tree.releaseLater(ReleaseBatch([self]))
    }
  }

  /// An effect that does nothing.
  @inlinable public static var none: Effect { Effect(.none) }

  /// Sends an action, which is reduced after everything already waiting.
  ///
  /// - Parameter action: The action. It goes to the store that declares the effect.
  public static func send(_ action: Action) -> Effect {
    Effect(.send(action))
  }

  /// Sends actions that are reduced as a single step, after everything already waiting; see
  /// ``StoreProtocol/dispatch(batch:)``.
  ///
  /// - Parameter actions: The actions. They go to the store that declares the effect. Without any, the result is
  ///   ``none``.
  public static func send(batch actions: [Action]) -> Effect {
    actions.isEmpty ? .none : Effect(.sendBatch(actions))
  }

  /// Runs a task.
  ///
  /// - An error that the body throws goes to the `onEffectError` of the feature or of the tree's settings. Neither a
  ///   `CancellationError` nor any error of a canceled task is reported.
  /// - A running task doesn't keep the store or its state alive. When the store's owner is released, the task is
  ///   canceled; actions that it already sent are still reduced.
  /// - Parameters:
  ///   - key: Identifies the task for ``cancel(_:at:)`` and for the mode, in the store that declares the effect. You
  ///     can't cancel a task without a key by name.
  ///   - mode: The rule for this task and others with the same key.
  ///   - priority: The task's priority; by default, the same as for a detached task.
  ///   - retries: The number of times that the body is called again when it throws an error. The error after the last
  ///     retry is the task's error. Actions that the body sent before an error aren't taken back. A
  ///     `CancellationError`, and errors of a canceled task, aren't retried.
  ///   - backoff: The delays before the retries, measured by the factory's clock. Meanwhile, the task is running and
  ///     keeps its key.
  ///   - operation: The body of the task. With a second argument, it emits activities as well:
  ///     `{ dispatch, emit in … }`.
  public static func run(
    key: (any Hashable & Sendable)? = nil,
    mode: TaskMode = .parallel,
    priority: TaskPriority? = nil,
    retries: Int = 0,
    backoff: EffectBackoff = .none,
    operation: @escaping Operation
  ) -> Effect {
    let form = Form.run(key: key.map { TypedKey($0) }, mode: mode, priority: priority) { context in
      try await context.performWithRetries(atMost: retries, backoff) { try await operation(context.dispatch) }
    }
    return Effect(form)
  }

  /// Cancels the tasks with a key that exist when this effect is performed, and revokes their actions.
  ///
  /// - Parameters:
  ///   - key: The key of the tasks; nil cancels nothing.
  ///   - place: The place of the tasks in the state of the feature that declares the effect: `.part(\AppState.editor)`.
  ///     By default, that feature's own place.
  public static func cancel<Whole>(
    _ key: (any Hashable & Sendable)?,
    at place: TaskPlace<Whole> = TaskPlace<Never>.own
  ) -> Effect {
    key.map { Effect(.cancel(TypedKey($0), at: place.scope)) } ?? .none
  }

  /// Cancels all tasks of a place and of the parts within it, and revokes their actions.
  ///
  /// - It cancels the tasks that exist when it is performed.
  /// - It doesn't cancel the tasks of child stores, which have their own state.
  /// - A scope of a longer key path only counts as within a part if it was made from a scope of the part, or by a
  ///   feature that is scoped within it.
  /// - Parameter place: The place in the state of the feature that declares the effect: `.part(\AppState.editor)`. A
  ///   part that is a collection includes all its elements. By default, that feature's whole state.
  public static func cancelAll<Whole>(at place: TaskPlace<Whole> = TaskPlace<Never>.own) -> Effect {
    Effect(.cancelAll(at: place.scope))
  }

  /// Performs effects at once, in order.
  ///
  /// - Parameter effects: The effects; without any, the result is ``none``.
  public static func merge(_ effects: Effect...) -> Effect {
    merge(effects)
  }

  /// Performs an array of effects at once, in order.
  ///
  /// - Parameter effects: The effects; without any, the result is ``none``.
  public static func merge(_ effects: [Effect]) -> Effect {
    // Flat, so that a long chain of nested merges doesn't need stack.
    joined(effects, Form.merge) { form in
      if case .merge(let parts) = form { parts } else { nil }
    }
  }

  /// Performs effects one after the other.
  ///
  /// - Each effect is performed when all tasks of the previous one have ended, even with an error.
  /// - If a task of an effect is canceled, later effects aren't performed.
  /// - The keys of all its tasks belong to the sequence from the start. If a task hasn't begun,
  ///   ``StoreProtocol/isRunning(_:at:)`` returns `true` for its key, canceling the key cancels it, and later tasks
  ///   with the key find it waiting. Only a `waitInCurrent` task doesn't wait for it.
  /// - Parameter effects: The effects; without any, the result is ``none``.
  public static func concatenate(_ effects: Effect...) -> Effect {
    concatenate(effects)
  }

  /// Performs an array of effects one after the other.
  ///
  /// - Each effect is performed when all tasks of the previous one have ended, even with an error.
  /// - If a task of an effect is canceled, later effects aren't performed.
  /// - The keys of all its tasks belong to the sequence from the start. If a task hasn't begun,
  ///   ``StoreProtocol/isRunning(_:at:)`` returns `true` for its key, canceling the key cancels it, and later tasks
  ///   with the key find it waiting. Only a `waitInCurrent` task doesn't wait for it.
  /// - Parameter effects: The effects; without any, the result is ``none``.
  public static func concatenate(_ effects: [Effect]) -> Effect {
    joined(effects, Form.concatenate) { form in
      if case .concatenate(let parts) = form { parts } else { nil }
    }
  }

  /// Joins effects into one: flattens nested effects of the same form and removes those that are ``none``.
  private static func joined(
    _ effects: [Effect],
    _ join: ([Effect]) -> Form,
    _ parts: (Form) -> [Effect]?
  ) -> Effect {
    let parts = effects.flatMap { effect in effect.isNone ? [] : parts(effect.form) ?? [effect] }
    return parts.count > 1 ? Effect(join(parts)) : parts.first ?? .none
  }
}

extension Effect {
  /// The asynchronous work of a task; its arguments send actions and emit activities.
  ///
  /// - `dispatch` works as in an ``Operation``. `emit` sends an event to the observers of activities at the store that
  ///   declares the effect, and at each ancestor, like ``StoreProtocol/emit(_:)``. The event keeps its order among the
  ///   actions that `dispatch` sends.
  /// - `emit` also works from any thread, at any later time, and silently does nothing after the task was canceled or
  ///   the store's owner is gone. Observers still receive activities that were emitted before: a cancellation only
  ///   revokes actions.
  public typealias EmittingOperation =
    @Sendable (
      _ dispatch: @escaping @Sendable (_ action: Action) -> Void,
      _ emit: @escaping @Sendable (_ activity: any Sendable) -> Void
    ) async throws -> Void

  /// Emits an activity at the store that declares the effect, like ``StoreProtocol/emit(_:)``.
  ///
  /// ```swift
  /// case .saved: .emit(Message(text: "Saved"))
  /// ```
  ///
  /// - Observers receive it after everything already waiting.
  /// - Parameter activity: The event. Only observers of exactly its type receive it.
  public static func emit(_ activity: some Sendable) -> Effect {
    Effect(.emit(activity))
  }

  /// Runs a task that emits activities as well as actions.
  ///
  /// ```swift
  /// .run(key: "upload") { dispatch, emit in
  ///   for try await part in upload() { emit(Progress(part)) }
  ///   dispatch(.uploaded)
  /// }
  /// ```
  ///
  /// - Errors, cancellation and retries work as in the overload whose body only dispatches.
  /// - Parameters:
  ///   - key: Identifies the task for ``cancel(_:at:)`` and for the mode. You can't cancel a task without a key by
  ///     name.
  ///   - mode: The rule for this task and others with the same key.
  ///   - priority: The task's priority; by default, the same as for a detached task.
  ///   - retries: The number of times that the body is called again when it throws an error.
  ///   - backoff: The delays before the retries.
  ///   - operation: The body of the task.
  public static func run(
    key: (any Hashable & Sendable)? = nil,
    mode: TaskMode = .parallel,
    priority: TaskPriority? = nil,
    retries: Int = 0,
    backoff: EffectBackoff = .none,
    operation: @escaping EmittingOperation
  ) -> Effect {
    let form = Form.run(key: key.map { TypedKey($0) }, mode: mode, priority: priority) { context in
      try await context.performWithRetries(atMost: retries, backoff) {
        try await operation(context.dispatch, context.emit)
      }
    }
    return Effect(form)
  }
}
